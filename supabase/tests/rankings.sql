-- Ratings: who starts runs, who reads them, and that nobody is ranked, counted or hinted at who is not public.
begin;
select plan(60);
delete from auth.users;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
create function pg_temp.act(number integer) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(number), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.listed(board jsonb) returns text
language sql
as $$ select string_agg((r ->> 'rank') || ' ' || (r ->> 'name'), ', ' order by n) from jsonb_array_elements(board -> 'rows') with ordinality as a (r, n) $$;

-- Players 1 to 6. 2 is private, 3 is 12 with guardian 40, 4 is 15 and has not shown the profile, 5 is 15 and has, 6 is suspended.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Player ' || n, 'role', case when n < 40 then 'player' else 'fan' end, 'public_profile', true)
from unnest(array[1, 2, 3, 4, 5, 6, 7, 40, 41]) as n;
insert into public.birth_dates (user_id, birth_date)
select id, case right(id::text, 2)::integer when 3 then (private.today() - interval '12 years')::date
  when 4 then (private.today() - interval '15 years')::date when 5 then (private.today() - interval '15 years')::date else '2000-01-01' end
from public.users;
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile)
values (pg_temp.id(3), pg_temp.id(40), '40@example.com', 'accepted', false);
update public.users set public_profile = true where id = pg_temp.id(5);
update public.users set public_profile = false where id = pg_temp.id(2);
insert into public.suspensions (user_id, reason) values (pg_temp.id(6), 'A reason');
update public.users set is_admin = true where id = pg_temp.id(41);
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id(41), 'totp', 'verified', now(), now());
update public.players set positions = array['SS'], grad_year = 2028, state = 'OR';
update public.players set positions = array['P'], state = 'WA' where user_id = pg_temp.id(7);
insert into public.measurements (player_id, kind, value, source, verified_at, taken_at)
select user_id, 'sixty_yard_dash', 7, 'event', now(), private.today() from public.players;
insert into public.measurements (player_id, kind, value, source, taken_at) values (pg_temp.id(1), 'exit_velocity_max', 100, 'self', private.today());

-- Starting runs.
select pg_temp.act(1);
select throws_ok($$select private.begin_rating('players', null)$$, '42501', 'Only admins may do this.', 'players start no run');
select throws_ok($$select private.save_rating('{}')$$, '42501', null, 'nor save one');
set local role anon;
select throws_ok($$select private.begin_rating('players', null)$$, '42501', null, 'nor do visitors');
select throws_ok($$select public.rankings('players')$$, '42501', null, 'who read none, either');
select pg_temp.act(1);
select is(public.rankings('players') -> 'run', 'null', 'without a run there are no rankings');
select pg_temp.act(41);
select is((select string_agg(right(p ->> 'id', 1), ',' order by p ->> 'id') from jsonb_array_elements(private.begin_rating('players', null) -> 'players') as p),
  '1,5,7', 'neither private, nor suspended, nor hidden players, nor children are rated');
select is(private.begin_rating('players', null) #> '{players,0,numbers}' @> '[{"metric": "exit_velocity_max"}]', false, 'numbers that nobody has verified do not count');
select matches(private.begin_rating('players', null) ->> 'hash', '^[0-9a-f]{64}$', 'what is told has a hash');

-- A run that also has those who are hidden now: they were shown when it was computed.
create function pg_temp.run(scores jsonb) returns uuid
language sql
as $$
  select private.save_rating(jsonb_build_object('kind', 'players', 'method', 'test', 'hash', repeat('a', 64),
    'params', '{"weights": {"hitter": [20, 25, 15, 25, 5], "pitcher": [35, 25, 15, 10, 5]}}'::jsonb,
    'ratings', (select jsonb_agg(jsonb_build_object('id', pg_temp.id(s.key::integer), 'pitcher', s.key = '7', 'scores', s.value || '[0, 0, 0]'::jsonb,
      'doubts', '[0.3, 0.3, 0.8, 0.8, 0.8]'::jsonb, 'counts', '[1, 1, 0, 0, 0]'::jsonb, 'parts', '[{"part": "sixty"}, {"part": "exit"}, null, null, null]'::jsonb)) from jsonb_each(scores) as s)))
$$;
select lives_ok($$select pg_temp.run('{"1": [0, 1], "2": [2, 2], "3": [3, 3], "4": [2, 1], "5": [1, 0], "6": [2, 2], "7": [1, 1]}')$$, 'an admin saves a run');
select lives_ok($$select pg_temp.run('{"1": [1, 1], "2": [2, 2], "3": [3, 3], "4": [2, 1], "5": [0, 0], "6": [2, 2], "7": [2, 2]}')$$, 'and another');
select throws_ok($$select private.save_rating('{"kind": "players", "method": "test", "ratings": []}')$$, 'PT409', 'There is nothing to rate yet.', 'an empty run does not take the place of the last one');
select is((select count(*) from public.audit_log where action = 'rating_run'), 2::bigint, 'the audit log says so');

-- Ranks, without gaps that show who is hidden.
select pg_temp.act(1);
select is(pg_temp.listed(public.rankings('players')), '1 Player 7, 2 Player 1, 3 Player 5', 'the rows are of public players, and the ranks have no gaps');
select is((public.rankings('players') ->> 'total')::integer, 3, 'the total counts them alone');
select is((public.rankings('players') ->> 'unranked')::integer, 0, 'and so does the number of those with too little');
select is(public.rankings('players') -> 'rows' -> 1 ->> 'value', '60', 'a deviation above the mean is 60');
select is(public.rankings('players') -> 'rows' -> 1 ->> 'previous', '2', 'the previous rank is counted among the same');
select is(public.rankings('players') -> 'rows' -> 0 -> 'history', '[60, 70]', 'the history is of the last runs, the oldest first');
select is(public.rankings('players') -> 'you' ->> 'rank', '2', 'the caller has a place');
select is(pg_temp.listed(public.rankings('players', '{"position": "IF"}')), '1 Player 1, 2 Player 5', 'by position');
select is(pg_temp.listed(public.rankings('players', '{"state": "WA", "class": "2028"}')), '1 Player 7', 'by state and class');
select is(public.rankings('players', weights => '{"hitter": [0, 0, 1, 1, 1], "pitcher": [1, 1, 1, 1, 1]}') ->> 'unranked', '3', 'without half of the weights nobody is ranked');
select throws_ok($$select public.rankings('players', weights => '{"hitter": [0, 0, 0, 0, 0], "pitcher": [1, 1, 1, 1, 1]}')$$, 'PT400', null, 'weights are not all 0');
select throws_ok($$select public.rankings('players', weights => '{"hitter": ["1); drop", 0, 0, 0, 0], "pitcher": [1, 1, 1, 1, 1]}')$$, 'PT400', null, 'SQL is no weight');
select throws_ok($$select public.rankings('coaches')$$, 'PT400', null, 'there are no other kinds');

-- The tables themselves.
select is((select count(*) from public.player_ratings), 2::bigint, 'players read their own rows');
select throws_ok('delete from public.player_ratings', '42501', null, 'and remove none');
select pg_temp.act(40);
select is((select count(*) from public.player_ratings), 2::bigint, 'guardians read those of their wards');
select is(pg_temp.listed(public.rankings('players')) like '%Player 3%', false, 'who are on no list, even to them');
select pg_temp.act(6);
select throws_ok($$select public.rankings('players')$$, '42501', 'Your account is suspended.', 'suspended users see none');
reset role;

-- The kept rows and counts follow every change.
create function pg_temp.recounted() returns boolean
language sql
as $$
  select not exists (
    (select run_id, value, count(*) from private.ranked_players where counted group by 1, 2
      except select run_id, value, players from private.rating_counts where players > 0)
    union all
    (select run_id, value, players from private.rating_counts where players > 0
      except select run_id, value, count(*) from private.ranked_players where counted group by 1, 2))
$$;
select is(pg_temp.recounted(), true, 'the kept counts match the rows');
update public.users set public_profile = false where id = pg_temp.id(5);
select pg_temp.act(1);
select is(pg_temp.listed(public.rankings('players')) || ' of ' || (public.rankings('players') ->> 'total'), '1 Player 7, 2 Player 1 of 2', 'a player whose profile becomes private is removed at once');
reset role;
select is(pg_temp.recounted(), true, 'the counts leave out that player');
update public.users set public_profile = true where id in (pg_temp.id(2), pg_temp.id(5));
select pg_temp.act(1);
select is(pg_temp.listed(public.rankings('players')), '1 Player 2, 1 Player 7, 3 Player 1, 4 Player 5', 'a player whose profile is public again is back with the values of the run');
reset role;
update public.players set state = 'CA' where user_id = pg_temp.id(2);
select pg_temp.act(1);
select is(pg_temp.listed(public.rankings('players', '{"state": "CA"}')), '1 Player 2', 'a changed state moves a player to that state''s list');
select is(pg_temp.listed(public.rankings('players', after => public.rankings('players', places => 2) -> 'next', places => 1)), '3 Player 1', 'a page begins after the previous one');
select is(pg_temp.listed(public.rankings('players', weights => '{"hitter": [1, 0, 0, 0, 0], "pitcher": [1, 0, 0, 0, 0]}', after => '{"value": 70, "id": "00000000-0000-4000-8000-000000000002"}', places => 1)),
  '1 Player 7', 'a page with the caller''s weights begins after the previous one');
-- What the page says of a rating is what the run has used.
reset role;
update public.measurements set verified_at = now() where player_id = pg_temp.id(1) and kind = 'exit_velocity_max';
select pg_temp.act(41);
select is(private.begin_rating('players', null) #> '{players,0,numbers}' @> '[{"metric": "exit_velocity_max", "source": "self"}]', true, 'a number of the player''s own is rated once a coach has verified it');
reset role;
update public.player_ratings set parts = '[{"part": "exit", "source": "self", "taken_at": "2026-05-01"}, {"part": "bat", "source": "scorebook"},
  {"part": "arm", "source": "device", "taken_at": "2026-05-01"}, null, {"part": "size", "source": "self"}]' where player_id = pg_temp.id(1);
update public.players set positions = array['P'] where user_id = pg_temp.id(1);
select pg_temp.act(1);
select is((select string_agg(coalesce(p ->> 'verified', '-'), ' ' order by n) from jsonb_array_elements(public.rankings('players') #> '{you,parts}') with ordinality as a (p, n)),
  'true true true - false', 'all but the height is verified');
select is((select string_agg(r ->> 'pitcher', ' ' order by r ->> 'name') from jsonb_array_elements(public.rankings('players') -> 'rows') as r),
  'false false false true', 'a player who has become a pitcher was rated as a hitter');
reset role;
update public.players set positions = array['SS'] where user_id = pg_temp.id(1);
-- Under 14 on January 1.
reset role;
update public.birth_dates set birth_date = make_date(extract(year from private.today())::integer - 14, 1, 2) where user_id = pg_temp.id(5);
update public.users set public_profile = true where id = pg_temp.id(5);
select pg_temp.act(1);
select is(pg_temp.listed(public.rankings('players')), '1 Player 2, 1 Player 7, 3 Player 1', 'a player under 14 on January 1 is in no ranking');
select pg_temp.act(41);
select is((select string_agg(right(p ->> 'id', 1), ',' order by p ->> 'id') from jsonb_array_elements(private.begin_rating('players', null) -> 'players') as p),
  '1,2,7', 'a player under 14 on January 1 is not rated');
reset role;
select is(pg_temp.recounted(), true, 'the counts leave out a player under 14');
delete from auth.users where id = pg_temp.id(1);
select is((select count(*) from public.player_ratings where player_id = pg_temp.id(1)), 0::bigint, 'ratings go with the account');

-- Deleting a run deletes its counts.
reset role;
select isnt_empty('select from private.rating_counts where players > 0', 'there are counts before the runs are deleted');
set local role service_role;
select lives_ok('delete from public.rating_runs', 'a role without rights on the counts deletes the runs');
reset role;
select is_empty('select from private.rating_counts', 'the counts are deleted with the runs');

-- Teams: seasons, and those with too few games. Owls and Jays have ten games of the last season, Rats nine, Bats are not vetted.
insert into public.leagues (id, name, level) values (pg_temp.id(90), 'League', '16U');
insert into public.teams (id, name, league_id, state) select pg_temp.id(n), name, pg_temp.id(90), 'OR'
from (values (91, 'Owls'), (92, 'Jays'), (93, 'Rats'), (94, 'Bats'), (95, 'Ants')) as t (n, name);
update public.teams set vetted = false where id = pg_temp.id(94);
create function pg_temp.season(year integer, ratings jsonb) returns uuid
language sql
as $$
  select private.save_rating(jsonb_build_object('kind', 'teams', 'season', year, 'method', 'test', 'params', '{"least_games": 10}'::jsonb, 'hash', repeat('b', 64), 'ratings', (
    select jsonb_agg(jsonb_build_object('id', pg_temp.id((r ->> 0)::integer), 'value', r -> 1, 'sd', 10, 'elo', 1500, 'rpi', 0.5, 'wins', r -> 2, 'losses', 0, 'ties', 0, 'pool', 1, 'why', '[]'::jsonb))
    from jsonb_array_elements(ratings) as r)))
$$;
create function pg_temp.rest(board jsonb) returns text
language sql
as $$ select string_agg(concat_ws(' ', r ->> 'rank', r ->> 'name', r ->> 'value', r ->> 'best'), ', ' order by n) from jsonb_array_elements(board -> 'provisional') with ordinality as a (r, n) $$;
set local request.jwt.claims = '{"role": "service_role"}';
select pg_temp.season(2025, '[[91, 1500, 12], [92, 1600, 12]]') is not null as last_year;
select pg_temp.season(2026, '[[91, 1600, 10], [92, 1500, 10], [93, 1700, 9], [94, 1800, 3], [95, 1400, 2]]') is not null as this_year;
select pg_temp.act(40);
select is(pg_temp.listed(public.rankings('teams')), '1 Owls, 2 Jays', 'teams with enough games are ranked');
select is(pg_temp.rest(public.rankings('teams')), 'Rats 1700, Ants 1400', 'the others follow in a group of their own, without a rank or a likely place');
select is((public.rankings('teams') ->> 'total')::integer || ' ' || (public.rankings('teams') ->> 'unranked')::integer, '2 2', 'both groups are counted');
select is(public.rankings('teams') -> 'rows' -> 0 ->> 'best', '1', 'teams with too few games take no place from others');
select is(pg_temp.rest(public.rankings('teams', after => public.rankings('teams', places => 1) -> 'next')), null, 'later pages do not repeat them');
select is(pg_temp.rest(public.rankings('teams', '{"state": "CA"}')), null, 'filters hold for them, too');
select is(public.rankings('teams') -> 'seasons', '[2026, 2025]', 'the seasons with a run are listed');
select is(public.rankings('teams') -> 'run' ->> 'season', '2026', 'the latest season is the default');
select is(pg_temp.listed(public.rankings('teams', season => 2025)), '1 Jays, 2 Owls', 'an earlier season has its own ranking');
select is(public.rankings('teams', season => 2025) -> 'rows' -> 0 ->> 'previous', null, 'which is compared with no run of another season');
select is(public.rankings('teams', season => 2020) -> 'run', 'null', 'a season without a run has none');
select is(public.rankings('teams', season => 2020) -> 'seasons', '[2026, 2025]', 'but the seasons to choose from');
select is(public.rankings('players', season => 2020) -> 'seasons', '[]', 'players have no seasons');

select * from finish();
rollback;

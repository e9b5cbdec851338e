-- What Home shows by role.
begin;
select plan(49);
delete from auth.users;
delete from public.teams;
delete from public.leagues;
-- The service makes a partition for each day; here none runs.
create table realtime.messages_of_this_test partition of realtime.messages default;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case name when 'anon' then '{"role": "anon"}'
    else jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text end, true);
  perform set_config('role', case name when 'anon' then 'anon' else 'authenticated' end, true);
end
$$;
create function pg_temp.team(called text) returns uuid
language sql stable security definer
as $$ select id from public.teams where name = called $$;

insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role)
from (values ('cam', 'coach'), ('ann', 'player'), ('kit', 'player'), ('fay', 'fan'), ('gus', 'fan'), ('sky', 'scout')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('ann', 20), ('kit', 11), ('gus', 40), ('sky', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
reset role;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active' from (values ('ann'), ('kit')) as people (name);
select pg_temp.act('cam');
select public.create_game(pg_temp.team('Owls'), 'Gulls', false, (now() at time zone 'utc')::date + 2, is_public => true);
select public.create_game(pg_temp.team('Owls'), 'Terns', true, (now() at time zone 'utc')::date + 40);
reset role;
insert into public.lineups (game_id, athlete_id, side)
select g.id, i.athlete_id, 0 from public.games as g, public.athlete_identities as i where g.home_name = 'Gulls' and i.user_id is not null;
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann')), (pg_temp.id('sky'), pg_temp.id('kit'));

select pg_temp.act('ann');
select results_eq('select home_name, own, followed from public.home_games()', $$values ('Gulls', true, '{}'::text[])$$, 'a player''s next games, of a month');
select pg_temp.act('fay');
select results_eq('select home_name, own, followed from public.home_games()', $$values ('Gulls', false, array['ann'])$$, 'games of those followed, with their names');
select pg_temp.act('sky');
select is_empty('select id from public.home_games()', 'a child is followed to no game');
select pg_temp.act('gus');
select results_eq('select home_name, own from public.home_games()', $$values ('Gulls', true)$$, 'a guardian''s are those of the ward''s team');
select pg_temp.act('anon');
select throws_ok('select public.home_games()', '42501', null, 'visitors have no Home');
select throws_ok('select public.number_changes(''2000-01-01'')', '42501', null, 'nor changes');
select throws_ok('select public.first_tasks()', '42501', null, 'nor tasks');

reset role;
select set_config('request.jwt.claims', '', true);
insert into public.measurements (player_id, kind, value, source, taken_at)
select pg_temp.id(name), 'sixty_yard_dash', value, 'event', (now() at time zone 'utc')::date - days
from (values ('ann', 7.1, 90), ('ann', 6.9, 3), ('kit', 9.9, 3)) as measured (name, value, days);
select pg_temp.act('ann');
select results_eq($$select label, was, now from public.number_changes((now() at time zone 'utc')::date - 30)$$, $$values ('60-yard dash', 7.1, 6.9)$$, 'a number beside the one before');
select is_empty($$select * from public.number_changes((now() at time zone 'utc')::date - 1)$$, 'only since a day');
select pg_temp.act('sky');
insert into public.watchlists (id, name) values (pg_temp.id('lis'), 'Shortstops');
select lives_ok($$insert into public.watchlist_players (watchlist_id, player_id) values (pg_temp.id('lis'), pg_temp.id('ann'))$$, 'a scout lists a player');
reset role;
insert into public.watchlist_players (watchlist_id, player_id) values (pg_temp.id('lis'), pg_temp.id('kit'));
select pg_temp.act('sky');
select results_eq($$select full_name, was, now from public.number_changes((now() at time zone 'utc')::date - 30, true)$$, $$values ('ann', 7.1, 6.9)$$, 'and reads what changed, of no child');
select is_empty($$select * from public.number_changes((now() at time zone 'utc')::date - 30)$$, 'a scout has no numbers');
select pg_temp.act('cam');
select is_empty($$select * from public.number_changes((now() at time zone 'utc')::date - 30, true)$$, 'lists are the scout''s alone');

select results_eq('select task, done from public.first_tasks()', $$values ('team', true), ('players', true), ('game', true)$$, 'a coach''s tasks');
select pg_temp.act('ann');
select results_eq('select task, done from public.first_tasks()', $$values ('facts', false), ('measurement', true), ('follow', false)$$, 'a player''s');
select pg_temp.act('fay');
select results_eq('select task, done from public.first_tasks()', $$values ('birth_date', false), ('follow', true), ('post', false)$$, 'a fan''s');
select pg_temp.act('sky');
select results_eq('select task, done from public.first_tasks()', $$values ('birth_date', true), ('list', true), ('listed', true)$$, 'a scout''s');

-- home(): the whole screen in one call.
reset role;
select pg_temp.act('anon');
select throws_ok('select public.home()', '42501', null, 'visitors cannot call home()');
select throws_ok('select private.arms()', '42501', null, 'visitors cannot call private.arms()');
select throws_ok('select private.home_news()', '42501', null, 'visitors cannot call private.home_news()');

select pg_temp.act('ann');
select is(public.home() #>> '{account,full_name}', 'ann', 'Home has the caller''s account');
select is(public.home() -> 'games', (select jsonb_agg(to_jsonb(g)) from public.home_games() as g), 'Home has the games');
select is((public.home() #>> '{player,changes,0,was}')::numeric, 7.1, 'a player''s Home has changed numbers');
select is(public.home() #> '{player,missing}', '["facts", "season", "video"]', 'a player''s Home has the missing parts of the profile');
select is(public.home() -> 'coach', null, 'a player''s Home has no part for coaches');
select is(public.home() -> 'news', 'null', 'a user who follows nobody gets null for the news');
insert into public.college_tasks (player_id, grade, title, due_on) values
  (pg_temp.id('ann'), 12, 'Register', (now() at time zone 'utc')::date + 7), (pg_temp.id('ann'), 12, 'Write', (now() at time zone 'utc')::date + 8);
select is(public.home() #> '{player,due}', (select jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title, 'due_on', t.due_on))
  from public.college_tasks as t where t.title = 'Register'), 'a player''s Home has the tasks due within a week');

select pg_temp.act('fay');
select results_eq($$select n ->> 'full_name', n ->> 'what', (n ->> 'value')::numeric from jsonb_array_elements(public.home() -> 'news') as n order by 3$$,
  $$values ('ann', '60-yard dash', 6.9), ('ann', '60-yard dash', 7.1)$$, 'Home has news of followed players');
select is(public.home() ->> 'visibility', 'birth_date_missing', 'the visibility says that the birth date is missing');
select is(public.home() ->> 'birth_date', null, 'an unknown birth date is null');
select pg_temp.act('sky');
select is(public.home() -> 'news', '[]', 'no news of a child');
select is(jsonb_array_length(public.home() -> 'listed'), 1, 'a scout''s Home has players of the watchlists');
select pg_temp.act('gus');
select is(public.home() #>> '{wards,0,full_name}', 'kit', 'a guardian''s Home has the ward');

-- The part for coaches, and the pitchers.
reset role;
select set_config('request.jwt.claims', '', true);
insert into public.measurements (player_id, kind, value, source, taken_at, verification_asked)
values (pg_temp.id('ann'), 'sixty_yard_dash', 6.8, 'self', (now() at time zone 'utc')::date, true);
update public.measurements set verified_at = now() where player_id = pg_temp.id('ann') and value = 6.9;
update public.games set status = 'final', played_on = (now() at time zone 'utc')::date - days
from (values ('Gulls', 1), ('Terns', 3)) as moved (opponent, days) where opponent in (home_name, visitor_name);
insert into public.player_game_pitching (game_id, athlete_id, side, number, pitches)
select g.id, i.athlete_id, case when g.home_name = 'Gulls' then 0 else 1 end, 1, thrown.pitches
from (values ('ann', 'Gulls', 31), ('ann', 'Terns', 88), ('kit', 'Gulls', 36)) as thrown (name, opponent, pitches)
join public.games as g on thrown.opponent in (g.home_name, g.visitor_name)
join public.athlete_identities as i on i.user_id = pg_temp.id(thrown.name);
insert into public.athletes (id, initial, owner_team_id) values (pg_temp.id('gst'), 'G', pg_temp.team('Owls'));
insert into public.athlete_identities (athlete_id, full_name) values (pg_temp.id('gst'), 'Guest');
insert into public.player_game_pitching (game_id, athlete_id, side, number, pitches)
select g.id, pg_temp.id('gst'), 0, 2, 50 from public.games as g where g.home_name = 'Gulls';
select pg_temp.act('cam');
select results_eq($$select c ->> 'full_name', (c ->> 'value')::numeric, (c ->> 'was')::numeric from jsonb_array_elements(public.home() #> '{coach,unverified}') as c$$,
  $$values ('ann', 6.8, 6.9)$$, 'a number to verify comes with the previous value');
select is(public.home() #> '{coach,has_team}', 'true', 'a coach''s Home says that there is a team');
reset role;
insert into public.measurements (player_id, kind, value, source, taken_at, verification_asked)
select pg_temp.id('ann'), 'sixty_yard_dash', 7, 'self', (now() at time zone 'utc')::date - 30, true from generate_series(1, 7);
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('sky'), 'player', 'asked');
select pg_temp.act('cam');
select results_eq($$select jsonb_array_length(c -> 'asking'), jsonb_array_length(c -> 'unverified'), c -> 'waiting' from (select public.home() -> 'coach') as h (c)$$,
  $$values (1, 6, '9'::jsonb)$$, 'lists are cut, but everything that waits is counted');
-- ann is 20: her 88 pitches three days ago need four days of rest, the later 31 one. kit is 11.
select results_eq($$select full_name, pitches, day_limit, ready_on - (now() at time zone 'utc')::date from private.arms() order by full_name collate "C"$$,
  $$values ('Guest', 50, null::integer, 2), ('ann', 31, 120, 2), ('kit', 36, 85, 2)$$, 'pitchers have the pitches of the last day, the limit of their age and the rest from all outings');
select is(jsonb_array_length(public.home() #> '{coach,arms}'), 3, 'a coach''s Home has these pitchers');
-- A day over the limit counts although a shorter outing followed.
select is_empty('select * from private.arms() where over_on is not null or over_pitches is not null or over_game is not null', 'nobody threw more than the limit');
reset role;
update public.player_game_pitching as p set pitches = 121
from public.games as g, public.athlete_identities as i
where g.id = p.game_id and 'Terns' in (g.home_name, g.visitor_name) and i.athlete_id = p.athlete_id and i.user_id = pg_temp.id('ann');
update public.player_game_pitching set pitches = 200 where athlete_id = pg_temp.id('gst');
select pg_temp.act('cam');
select results_eq($$select a.full_name, a.pitches, (now() at time zone 'utc')::date - a.over_on, a.over_pitches, g.home_name = 'Terns' or g.visitor_name = 'Terns'
  from private.arms() as a join public.games as g on g.id = a.over_game$$,
  $$values ('ann', 31, 3, 121, true)$$, 'the newest day over the limit of the age is told with its game; a guest has no limit');
-- Unrecorded pitches: in kit's second game of the day, and in ann's earlier game.
reset role;
select set_config('request.jwt.claims', '', true);
update public.player_game_pitching as p set pitches = null
from public.games as g, public.athlete_identities as i
where g.id = p.game_id and 'Terns' in (g.home_name, g.visitor_name) and i.athlete_id = p.athlete_id and i.user_id = pg_temp.id('ann');
update public.games set played_on = (now() at time zone 'utc')::date - 1 where 'Terns' in (home_name, visitor_name);
insert into public.player_game_pitching (game_id, athlete_id, side, number, pitches)
select g.id, i.athlete_id, 1, 2, null from public.games as g, public.athlete_identities as i
where 'Terns' in (g.home_name, g.visitor_name) and i.user_id = pg_temp.id('kit');
select pg_temp.act('cam');
select results_eq($$select full_name, pitches, ready_on from private.arms() where full_name <> 'Guest' order by full_name collate "C"$$,
  $$values ('ann', null::integer, null::date), ('kit', null, null)$$, 'a day with an outing without recorded pitches has no number');
reset role;
select set_config('request.jwt.claims', '', true);
update public.games set played_on = (now() at time zone 'utc')::date - 3 where 'Terns' in (home_name, visitor_name);
select pg_temp.act('cam');
select results_eq($$select full_name, pitches, ready_on from private.arms() where full_name <> 'Guest' order by full_name collate "C"$$,
  $$values ('ann', 31, null::date), ('kit', 36, null)$$, 'after an unrecorded outing ready_on is null, also if it was on an earlier day');
select is(public.home() #>> '{coach,arms,2,full_name}', 'Guest', 'pitchers without ready_on come first');
select pg_temp.act('ann');
select is_empty('select * from private.arms()', 'a player reads no pitchers');
reset role;
select results_eq($$select private.pitch_limit(age) from unnest(array[8, 9, 12, 13, 16, 17, 19, null]) as age$$,
  'values (50), (75), (85), (95), (95), (105), (120), (null)', 'daily limits by age');
select results_eq($$select private.pitch_rest(age, pitches) from (values (14, 20), (14, 66), (15, 30), (16, 76), (17, 76), (18, 81), (20, 105), (20, 106), (null, 66)) as t (age, pitches)$$,
  'values (0), (4), (0), (4), (3), (4), (4), (5), (4)', 'the days of rest by age');

-- Players with newly verified numbers.
reset role;
select set_config('request.jwt.claims', '', true);
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id('p' || n), 'p' || n || '@example.com', jsonb_build_object('full_name', 'p' || n, 'role', 'player') from generate_series(1, 7) as n;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id('p' || n), (now() at time zone 'utc')::date - interval '20 years' from generate_series(1, 7) as n;
insert into public.measurements (player_id, kind, value, source, taken_at, verified_at)
select pg_temp.id('p1'), 'sixty_yard_dash', 7, 'event', (now() at time zone 'utc')::date, now() - make_interval(mins => n) from generate_series(1, 100) as n
union all select pg_temp.id('p' || n), 'sixty_yard_dash', 7, 'event', (now() at time zone 'utc')::date, now() - make_interval(days => n) from generate_series(2, 7) as n
union all select pg_temp.id('kit'), 'sixty_yard_dash', 9, 'event', (now() at time zone 'utc')::date, now();
select pg_temp.act('gus');
select results_eq($$select p ->> 'full_name' from jsonb_array_elements(private.home_discover()) as p$$,
  $$values ('ann'), ('p1'), ('p2'), ('p3'), ('p4'), ('p5')$$, 'the six players with the newest verified numbers, no child, and each once');
select pg_temp.act('p2');
select results_eq($$select p ->> 'full_name' from jsonb_array_elements(private.home_discover()) as p$$,
  $$values ('ann'), ('p1'), ('p3'), ('p4'), ('p5'), ('p6')$$, 'not the caller');
reset role;
select set_config('request.jwt.claims', '', true);

-- The suspended.
insert into public.suspensions (user_id, reason) values (pg_temp.id('gus'), 'Insults');
select pg_temp.act('gus');
select is(public.home() - 'account', jsonb_build_object('visibility', 'suspended', 'suspension', jsonb_build_object('reason', 'Insults',
  'suspended_at', (select s.suspended_at from public.suspensions as s))), 'a suspended user sees only the suspension and its reason');
reset role;
select * from finish();
rollback;

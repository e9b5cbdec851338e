-- What /followed-players shows: the order by form, its pages, and what it leaves out.
begin;
select plan(12);
delete from auth.users;
delete from public.teams;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.game(against text) returns uuid
language sql stable security definer
as $$ select id from public.games where against in (visitor_name, home_name) $$;

-- fay follows all; ann, bob and cal bat, dee has no game, pri is private.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('ann', 'player'), ('bob', 'player'), ('cal', 'player'), ('dee', 'player'), ('pri', 'player'), ('fay', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date) select id, (now() at time zone 'utc')::date - interval '30 years' from public.users;
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
select public.create_game((select id from public.teams), opponent, true, (now() at time zone 'utc')::date + days, is_public => opponent <> 'Crows')
from (values ('Gulls', -2), ('Terns', -20), ('Jays', 3), ('Crows', 1)) as games (opponent, days);
reset role;
insert into public.team_members (team_id, user_id, role, status, jersey)
select t.id, pg_temp.id(players.name), 'player', 'active', place from public.teams as t, (values ('ann', '1'), ('bob', '2'), ('cal', '3'), ('pri', '4')) as players (name, place);
insert into public.player_game_batting (game_id, athlete_id, side, pa, ab, h, hr)
select pg_temp.game(against), i.athlete_id, 1, pa, ab, h, hr
from (values ('ann', 'Gulls', 4, 4, 1, 0), ('ann', 'Terns', 4, 4, 4, 0), ('bob', 'Gulls', 4, 4, 2, 1), ('cal', 'Terns', 4, 4, 3, 0), ('pri', 'Gulls', 4, 4, 4, 4))
  as lines (name, against, pa, ab, h, hr)
join public.athlete_identities as i on i.user_id = pg_temp.id(lines.name);
update public.games set status = 'final', home_runs = 3, visitor_runs = 1 where id in (pg_temp.game('Gulls'), pg_temp.game('Terns'));
insert into public.follows (follower_id, followed_id, muted)
select pg_temp.id('fay'), pg_temp.id(name), name = 'cal' from unnest(array['ann', 'bob', 'cal', 'dee', 'pri']) as name;

select pg_temp.act('fay');
select results_eq($$select full_name, week ->> 'ops', week ->> 'pa' from public.followed_now()$$,
  $$values ('bob', '1.750', '4'), ('ann', '0.500', '4'), ('cal', null, null), ('dee', null, null)$$,
  'those followed are ordered by the OPS of the last seven days; private people are left out');
select results_eq($$select full_name from public.followed_now('name')$$, $$values ('ann'), ('bob'), ('cal'), ('dee')$$, 'or by name');
select results_eq($$select full_name, muted from public.followed_now() where muted$$, $$values ('cal', true)$$, 'the muted are listed as such');
select results_eq($$select last_game ->> 'opponent', last_game #>> '{batting,h}', last_game ->> 'runs', last_game ->> 'allowed', last_game -> 'pitching' from public.followed_now() where full_name in ('ann', 'cal') order by 1$$,
  $$values ('Gulls', '1', '3', '1', 'null'::jsonb), ('Terns', '3', '3', '1', 'null')$$, 'with the line of the last game');
select results_eq($$select full_name, next_game ->> 'visitor_name' from public.followed_now('name')$$,
  $$values ('ann', 'Jays'), ('bob', 'Jays'), ('cal', 'Jays'), ('dee', null)$$, 'and the next game of their team that is public');
select results_eq($$select n.full_name from public.followed_now() as f, lateral public.followed_now('form', f.place, f.full_name, f.id) as n where f.full_name = 'ann'$$,
  $$values ('cal'), ('dee')$$, 'the next page begins after the last row');
select is_empty($$select n.full_name from public.followed_now() as f, lateral public.followed_now('form', f.place, f.full_name, f.id) as n where f.full_name = 'dee'$$, 'and ends after the last');
reset role;
insert into auth.users (id, email, raw_user_meta_data)
select gen_random_uuid(), 'x' || n || '@example.com', jsonb_build_object('full_name', 'x' || n, 'role', 'player', 'public_profile', true) from generate_series(1, 20) as n;
insert into public.birth_dates (user_id, birth_date) select id, '1990-01-01' from public.users where full_name like 'x%';
insert into public.follows (follower_id, followed_id) select pg_temp.id('fay'), id from public.users where full_name like 'x%';
select pg_temp.act('fay');
select is((select count(*) from public.followed_now()), 20::bigint, 'a page has twenty');
select pg_temp.act('ann');
select is_empty($$select * from public.followed_now()$$, 'those who follow nobody read nothing');
reset role;
update public.games set is_public = false where id = pg_temp.game('Gulls');
select pg_temp.act('fay');
select results_eq($$select last_game ->> 'opponent', week from public.followed_now() where full_name = 'ann'$$, $$values ('Terns', null::jsonb)$$, 'a game that is not public counts for nothing');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('fay'), 'Spam');
select pg_temp.act('fay');
select is_empty($$select * from public.followed_now()$$, 'the suspended read nothing');
select set_config('request.jwt.claims', '{"role": "anon"}', true), set_config('role', 'anon', true);
select throws_ok($$select * from public.followed_now()$$, '42501', null, 'nor do visitors');

select * from finish();
rollback;

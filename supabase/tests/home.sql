-- What Home shows by role.
begin;
select plan(17);
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
reset role;
select * from finish();
rollback;

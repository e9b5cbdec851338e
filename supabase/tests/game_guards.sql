-- Who may change games and stand in lineups, what of both strangers read, and what is kept of guests.
begin;
select plan(53);
delete from auth.users;
delete from public.teams;
delete from public.leagues;

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
create function pg_temp.game(against text) returns uuid
language sql stable security definer
as $$ select id from public.games where against in (visitor_name, home_name) $$;
create function pg_temp.athlete(name text) returns uuid
language sql stable security definer
as $$ select athlete_id from public.athlete_identities where user_id = pg_temp.id(name) $$;
create function pg_temp.today() returns date language sql stable as $$ select (now() at time zone 'utc')::date $$;
-- A player of a lineup; with a name, a guest.
create function pg_temp.player(athlete uuid, bat_order integer, name text default null) returns jsonb
language sql immutable
as $$ select jsonb_build_object('athlete', athlete, 'side', 0, 'jersey', bat_order::text, 'order', bat_order, 'position', bat_order, 'name', name) $$;
-- Saves a game as the function score does. Of a game that is not scheduled the first player has struck out.
create function pg_temp.save(game uuid, status text, variadic players jsonb[]) returns bigint
language plpgsql
as $$
declare
  play constant uuid := gen_random_uuid();
  plays constant jsonb := case when status = 'scheduled' then '[]' else jsonb_build_array(jsonb_build_object(
    'id', play, 'record', 'play,1,0,' || (players[1] ->> 'athlete') || ',??,,K')) end;
begin
  perform private.begin_scoring(game, pg_temp.id('dev'), true);
  return private.save_scoring(game, pg_temp.id('dev'), jsonb_build_object('lineups', to_jsonb(players), 'plays', plays,
    'current', plays, 'lines', '{"score": [], "batting": [], "pitching": [], "fielding": []}'::jsonb,
    'state', jsonb_build_object('status', status)));
end
$$;

-- cam is a verified coach; cal, who is not, coaches a team of his own, Crows, and helps in the vetted one, Owls. ann is an adult
-- and plays in both; kit is 11, with gus as guardian.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role)
from (values ('cam', 'coach'), ('cal', 'coach'), ('ann', 'player'), ('kit', 'player'), ('zoe', 'player'), ('fay', 'fan'),
  ('gus', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('ann', 20), ('kit', 11), ('zoe', 20), ('fay', 40), ('gus', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
select public.create_game(pg_temp.team('Owls'), 'Gulls', false, pg_temp.today());
select public.create_game(pg_temp.team('Owls'), 'Terns', false, pg_temp.today() + 1);
select pg_temp.act('cal');
select public.create_team('Crows');
select public.create_team('Jays');
select public.create_game(pg_temp.team('Crows'), 'Text by cal', true, '2027-04-01', is_public => true, place => 'Text by cal');
select public.create_game(pg_temp.team('Jays'), 'Kites', true, '2027-04-01', is_public => true, place => 'Field 1');
reset role;
insert into public.team_members (team_id, user_id, role, status, jersey)
select pg_temp.team(team), pg_temp.id(name), 'player', 'active', jersey
from (values ('Owls', 'ann', '7'), ('Crows', 'ann', '70'), ('Owls', 'kit', '9'), ('Owls', 'zoe', '8')) as people (team, name, jersey);
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.team('Owls'), pg_temp.id('cal'), 'coach', 'active'), (pg_temp.team('Crows'), pg_temp.id('cam'), 'coach', 'active');

-- A coach who is not verified, in a vetted team.
select pg_temp.act('cam');
select lives_ok($$select pg_temp.save(pg_temp.game('Gulls'), 'final', pg_temp.player(pg_temp.athlete('ann'), 1),
  pg_temp.player(pg_temp.athlete('kit'), 2), pg_temp.player(pg_temp.id('gue'), 3, 'Guest One'))$$, 'a verified coach scores a game');
select pg_temp.act('cal');
select is((select count(*) from public.games where owner_team_id = pg_temp.team('Owls')), 2::bigint, 'a coach who is not verified reads the games of a vetted team');
select results_eq(
  $$with changed as (update public.games set is_public = true, place = 'Text by cal' returning owner_team_id) select owner_team_id from changed$$,
  $$select pg_temp.team(name) from unnest(array['Crows', 'Jays']) as name$$, 'and changes those of other teams only');
select results_eq(
  $$with gone as (delete from public.games where owner_team_id = pg_temp.team('Owls') returning id) select count(*) from gone$$, 'values (0::bigint)', 'nor deletes them');
select is((select count(*) from public.athlete_identities where full_name is not null), 0::bigint, 'nor reads the names of its guests');
select results_eq('select jersey from public.rosters where team_id = pg_temp.team(''Owls'')', $$values ('7')$$, 'nor more of its roster than others');
select is((select count(*) from public.rosters where team_id = pg_temp.team('Crows')), 1::bigint, 'but that of a team that is not vetted');
select pg_temp.act('cam');
select is((select count(*) from public.athlete_identities where full_name is not null), 1::bigint, 'a verified coach reads the guests'' names');
select is((select count(*) from public.rosters where team_id = pg_temp.team('Owls')), 3::bigint, 'and the roster');
select results_eq(
  $$with changed as (update public.games set is_public = true where owner_team_id = pg_temp.team('Owls') returning id) select count(*) from changed$$, 'values (2::bigint)', 'and shows games');

-- What strangers read.
select pg_temp.act('anon');
select results_eq(
  $$select team_id, jersey from public.rosters$$, $$values (pg_temp.team('Owls'), '7')$$,
  'visitors read the rosters of players they know, and of teams they see');
select throws_ok('select created_by from public.games', '42501', null, 'nor who made a game');
select throws_ok('select place_by from public.games', '42501', null, 'nor who wrote its place');
select pg_temp.act('fay');
select results_eq('select jersey from public.rosters order by 1', $$values ('7'), ('70')$$, 'adults with an account see more teams');
select throws_ok('select created_by from public.games', '42501', null, 'and not who made a game');
select pg_temp.act('gus');
select results_eq('select jersey from public.rosters order by 1', $$values ('7'), ('70'), ('9')$$, 'a guardian the child''s number');
reset role;
insert into public.team_members (team_id, user_id, role, status, jersey) values (pg_temp.team('Jays'), pg_temp.id('kit'), 'player', 'active', '99');
insert into public.suspensions (user_id, reason) values (pg_temp.id('zoe'), 'A reason');
select pg_temp.act('kit');
select is((select count(*) from public.rosters where jersey = '99'), 1::bigint, 'players read their own, also of a team that they do not see');
select pg_temp.act('cam');
select is((select count(*) from public.rosters where jersey = '8'), 1::bigint, 'and coaches the team''s, also of somebody whose profile they do not see');
reset role;
delete from public.suspensions;

-- The rules of a game.
select pg_temp.act('cam');
select throws_ok(format($$update public.games set %s where id = pg_temp.game('Gulls')$$, change), 'PT409',
  'This game has begun: its date and its rules stay.', 'a game that has begun is not given ' || change)
from unnest(array['innings = 3', $$played_on = '2027-01-01'$$, 'uses_dh = true', 'reentry = true', 'courtesy_runner = true',
  $$run_rule = '10/5'$$, 'extra_runner = 2', 'time_limit = 90']) as change;
select lives_ok($$update public.games set place = 'Field 2', innings = 7 where id = pg_temp.game('Gulls')$$, 'but another place');
select lives_ok($$update public.games set innings = 3, played_on = pg_temp.today() + 2 where id = pg_temp.game('Terns')$$, 'and a game that has not, other rules');

-- A team that becomes vetted.
select public.create_game(pg_temp.team('Crows'), 'Robins', false, '2027-04-02', is_public => true, place => 'Field 3');
select pg_temp.act('cal');
select public.create_game(pg_temp.team('Crows'), 'More text by cal', false, '2027-04-03', is_public => true);
update public.games set place = 'Text by cal' where id = pg_temp.game('Robins');
insert into storage.objects (bucket_id, name, owner_id)
values ('team-logos', pg_temp.team('Crows') || '/' || pg_temp.id('cal') || '.png', pg_temp.id('cal')::text);
update public.teams set logo = pg_temp.team('Crows') || '/' || pg_temp.id('cal') || '.png' where id = pg_temp.team('Crows');
select pg_temp.act('anon');
select is((select count(*) from public.games where visitor_name = 'Crows' or home_name = 'Crows'), 0::bigint, 'games of a team that is not vetted are hidden');
select pg_temp.act('cam');
update public.games set place = 'Field 4' where visitor_name = 'Crows' and home_name = 'More text by cal';
update public.teams set name = 'Ravens' where id = pg_temp.team('Crows');
select pg_temp.act('anon');
select results_eq(
  $$select visitor_name, home_name, place from public.games where owner_team_id = pg_temp.team('Ravens') order by played_on$$,
  $$values ('Visitors', 'Ravens', null), ('Crows', 'Robins', null), ('Ravens', 'Home', 'Field 4')$$,
  'once it is, they have what verified coaches wrote, and nothing else');
select results_eq($$select logo from public.teams where name = 'Ravens'$$, 'values (null::text)', 'nor a logo of others');
reset role;
select is((select count(*) from storage.objects where bucket_id = 'team-logos'), 0::bigint, 'whose file goes');
insert into storage.objects (bucket_id, name, owner_id)
select 'team-logos', pg_temp.team('Jays') || '/' || pg_temp.id('cal') || '.png', pg_temp.id('cal')::text;
update public.teams set logo = pg_temp.team('Jays') || '/' || pg_temp.id('cal') || '.png' where id = pg_temp.team('Jays');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cal'));
select pg_temp.act('anon');
select results_eq(
  $$select visitor_name, home_name, place from public.games where owner_team_id = pg_temp.team('Jays')$$,
  $$values ('Kites', 'Jays', 'Text by cal')$$, 'a coach who becomes verified keeps the own text');
select is((select count(*) from public.teams where name = 'Jays' and logo is not null), 1::bigint, 'and the logo');

-- Players who left.
select pg_temp.act('cam');
select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(pg_temp.athlete('kit'), 1), pg_temp.player(pg_temp.athlete('ann'), 2));
select pg_temp.save(public.create_game(pg_temp.team('Owls'), 'Herons', false, pg_temp.today()), 'scheduled', pg_temp.player(pg_temp.athlete('kit'), 1));
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select results_eq('select athlete_id from public.lineups where game_id = pg_temp.game(''Terns'')', 'select pg_temp.athlete(''ann'')', 'a child who leaves is taken out of later games');
select is((select count(*) from public.lineups where athlete_id = pg_temp.athlete('kit')), 2::bigint, 'and stays in those up to the last day');
select pg_temp.act('cam');
select throws_ok($$select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(pg_temp.athlete('kit'), 1))$$,
  'PT400', 'A player of the lineup is neither on your roster nor named.', 'a child who left is put into no later game');
select lives_ok($$select public.create_game(pg_temp.team('Owls'), 'Plovers', false, pg_temp.today())$$, 'in a game of the last day');
select lives_ok($$select pg_temp.save(pg_temp.game('Plovers'), 'live', pg_temp.player(pg_temp.athlete('kit'), 1),
  pg_temp.player(pg_temp.athlete('zoe'), 2))$$, 'the child may have played');
select lives_ok($$select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(pg_temp.athlete('zoe'), 1))$$, 'a member is in both');
create temporary table athletes_then as select pg_temp.athlete('zoe') as zoe, pg_temp.athlete('kit') as kit;
grant select on athletes_then to authenticated;
reset role;
delete from auth.users where id = pg_temp.id('zoe');
select is((select count(*) from public.lineups, athletes_then where athlete_id = zoe), 1::bigint, 'who deletes the account leaves later games, too');
select pg_temp.act('cam');
select lives_ok($$select pg_temp.save(pg_temp.game('Plovers'), 'live', pg_temp.player(kit, 1), pg_temp.player(zoe, 2)) from athletes_then$$,
  'and stays in one that has begun');
select throws_ok($$select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(zoe, 1)) from athletes_then$$, 'PT400', null,
  'and in no other');

-- Guests.
create function pg_temp.guests() returns text language sql security definer
as $$ select string_agg(full_name, ', ' order by full_name) from public.athlete_identities where full_name is not null $$;
select is(pg_temp.guests(), 'Guest One', 'a guest''s name is kept');
select lives_ok($$select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(pg_temp.id('gue'), 1, 'Guest One'),
  pg_temp.player(pg_temp.id('gu2'), 2, 'Guest Two'), pg_temp.player(pg_temp.id('gu3'), 3, 'Guest Three'))$$, 'with further ones');
select lives_ok($$select pg_temp.save(pg_temp.game('Terns'), 'scheduled', pg_temp.player(pg_temp.id('gue'), 1, 'Guest One'),
  pg_temp.player(pg_temp.id('gu2'), 2, 'Guest Two'))$$, 'and without one again');
select is(pg_temp.guests(), 'Guest One, Guest Two', 'a guest whom no lineup names goes');
delete from public.games where id = pg_temp.game('Terns');
select is(pg_temp.guests(), 'Guest One', 'also with the game; not those of other games');
reset role;
select is((select count(*) from public.athletes where owner_team_id is not null), 1::bigint, 'and nothing of them is left');
select is((select count(*) from public.lineups as l join public.games as g on g.id = l.game_id and g.id = pg_temp.game('Gulls')), 3::bigint, 'lineups of other games stay');

-- An operator puts a final game into another season.
insert into public.seasons (id, team_id, year) values (pg_temp.id('sea'), pg_temp.team('Owls'), 1999);
insert into public.player_game_batting (game_id, athlete_id, side, h) values (pg_temp.game('Gulls'), pg_temp.athlete('ann'), 0, 1);
update public.games set season_id = pg_temp.id('sea') where id = pg_temp.game('Gulls');
select results_eq('select season_id, h from public.player_season_batting', $$values (pg_temp.id('sea'), 1)$$, 'its lines follow');
update public.games set season_id = null where id = pg_temp.game('Gulls');
select is((select count(*) from public.player_season_batting), 0::bigint, 'and leave the season');
select set_config('request.jwt.claims', '', true);
select lives_ok($$update public.games set innings = 9 where id = pg_temp.game('Gulls')$$, 'an operator may correct the rules');

select * from finish();
rollback;

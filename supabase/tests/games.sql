-- Games, lineups, plays and their lines: by role and operation.
begin;
select plan(78);
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
create function pg_temp.game(against text) returns uuid
language sql stable security definer
as $$ select id from public.games where against in (visitor_name, home_name) $$;
create function pg_temp.athlete(name text) returns uuid
language sql stable security definer
as $$ select athlete_id from public.athlete_identities where user_id = pg_temp.id(name) $$;
-- The name that the reader sees, or the number and the initial.
create function pg_temp.seen(athlete uuid) returns text
language sql stable
as $$
  select coalesce(
    (select coalesce(p.full_name, i.full_name) from public.athlete_identities as i
     left join public.profiles as p on p.id = i.user_id where i.athlete_id = athlete),
    (select '#' || l.jersey || ' ' || a.initial from public.lineups as l join public.athletes as a on a.id = l.athlete_id
     where l.athlete_id = athlete limit 1))
$$;

-- cam is a verified coach, cal one who is not. ann is an adult, pri a private one, kit 11 with gus as guardian.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('cal', 'coach'), ('ann', 'player'), ('pri', 'player'), ('kit', 'player'), ('zoe', 'player'),
  ('fay', 'fan'), ('gus', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('ann', 20), ('pri', 20), ('kit', 11), ('zoe', 20), ('fay', 40), ('gus', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
select pg_temp.act('cal');
select public.create_team('Crows');
reset role;
insert into public.team_members (team_id, user_id, role, status, jersey)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active', jersey
from (values ('ann', '7'), ('pri', '8'), ('kit', '9')) as people (name, jersey);

-- Rosters follow the membership.
select results_eq(
  $$select a.initial, r.jersey, r.joined_on, r.left_on from public.rosters as r join public.athletes as a on a.id = r.athlete_id order by 2$$,
  $$select initial, jersey, (now() at time zone 'utc')::date, null::date from (values ('A', '7'), ('P', '8'), ('K', '9')) as r (initial, jersey)$$,
  'a member becomes an athlete on the roster');
update public.team_members set jersey = '17' where user_id = pg_temp.id('ann');
select is((select jersey from public.rosters where athlete_id = pg_temp.athlete('ann')), '17', 'the roster follows the number');
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('zoe'), 'player', 'invited');
select is(pg_temp.athlete('zoe'), null, 'an invitation is no membership');
update public.team_members set status = 'active' where user_id = pg_temp.id('zoe');
delete from public.team_members where user_id = pg_temp.id('zoe');
select isnt((select left_on from public.rosters where athlete_id = pg_temp.athlete('zoe')), null, 'leaving ends the stint');
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('zoe'), 'player', 'active');
select is((select count(*) from public.rosters where athlete_id = pg_temp.athlete('zoe')), 1::bigint, 'coming back on the same day continues it');
update public.users set full_name = 'yoe' where id = pg_temp.id('zoe');
select is((select initial from public.athletes where id = pg_temp.athlete('zoe')), 'Y', 'the initial follows the name');

-- Scheduling.
select pg_temp.act('fay');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01')$$, '42501', 'You are not a coach of this team.', 'strangers schedule nothing');
select pg_temp.act('ann');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01')$$, '42501', null, 'players schedule nothing');
select pg_temp.act('cal');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01')$$, '42501', null, 'coaches of other teams schedule nothing');
select lives_ok($$select public.create_game(pg_temp.team('Crows'), 'Wrens', true, '2027-04-01', is_public => true)$$, 'a coach schedules a game');
select pg_temp.act('anon');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01')$$, '42501', null, 'visitors schedule nothing');
select is((select count(*) from public.games), 0::bigint, 'a public game of a team that is not vetted is hidden from visitors');
select pg_temp.act('cam');
select lives_ok($$select public.create_game(pg_temp.team('Owls'), ' Gulls ', false, '2027-04-01', is_public => true, innings => 9)$$, 'a public game');
select lives_ok($$select public.create_game(pg_temp.team('Owls'), 'Terns', true, '2027-04-02', reentry => true, courtesy_runner => true,
  run_rule => '15/3;10/5', extra_runner => 2, time_limit => 105)$$, 'a game of the team alone, with the rules of its league');
select results_eq($$select reentry, courtesy_runner, run_rule, extra_runner, time_limit from public.games where visitor_name = 'Terns'$$,
  $$values (true, true, '15/3;10/5', 2::smallint, 105::smallint)$$, 'the rules are those of the form');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01', run_rule => 'ten')$$, '23514', null,
  'a run rule is a lead after an inning');
select results_eq('select visitor_name, home_name, innings from public.games where is_public and owner_team_id = pg_temp.team(''Owls'')', $$values ('Owls', 'Gulls', 9::smallint)$$, 'the opponent is a name');
select is((select count(*) from public.seasons where team_id = pg_temp.team('Owls')), 1::bigint, 'both are in one season');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), ' ', true, '2027-04-01')$$, '23514', null, 'the opponent needs a name');
select throws_ok($$select public.create_game(pg_temp.team('Owls'), 'Gulls', true, '2027-04-01', innings => 10)$$, '23514', null, 'a game has at most nine innings');

-- Who reads games.
select is((select count(*) from public.games), 3::bigint, 'a coach reads the team''s games, and public ones');
select pg_temp.act('ann');
select is((select count(*) from public.games where owner_team_id = pg_temp.team('Owls')), 2::bigint, 'so does a player');
select pg_temp.act('gus');
select is((select count(*) from public.games where owner_team_id = pg_temp.team('Owls')), 2::bigint, 'and a guardian');
select pg_temp.act('fay');
select results_eq('select home_name from public.games where owner_team_id = pg_temp.team(''Owls'')', $$values ('Gulls')$$, 'strangers read public games');
select pg_temp.act('anon');
select results_eq('select home_name from public.games', $$values ('Gulls')$$, 'visitors, too');

-- Who changes games.
select throws_ok('update public.games set place = ''x''', '42501', null, 'visitors update nothing');
select throws_ok('delete from public.games', '42501', null, 'visitors delete nothing');
select pg_temp.act('ann');
select lives_ok('update public.games set place = ''x''', 'players update');
select is((select count(*) from public.games where place = 'x'), 0::bigint, 'no game');
select lives_ok('delete from public.games', 'players delete');
select is((select count(*) from public.games where owner_team_id = pg_temp.team('Owls')), 2::bigint, 'no game');
select pg_temp.act('cam');
select lives_ok('update public.games set place = ''Field 2''', 'a coach updates');
select is((select count(*) from public.games where place = 'Field 2'), 2::bigint, 'the team''s games');
select throws_ok('update public.games set home_runs = 9', '42501', null, 'nobody writes a score');
select throws_ok('insert into public.games (visitor_name, home_name, played_on) values (''a'', ''b'', now())', '42501', null, 'games are made by create_game()');
select throws_ok($$insert into public.plays (game_id, id, seq, record) values (pg_temp.game('Gulls'), gen_random_uuid(), 1, 'play,1,0,x,??,,HR')$$, '42501', null, 'nobody writes plays past the function');
select throws_ok('delete from public.plays', '42501', null, 'nobody deletes plays');
select throws_ok($$insert into public.lineups (game_id, athlete_id, side) values (pg_temp.game('Gulls'), gen_random_uuid(), 0)$$, '42501', null, 'nobody writes lineups past the function');

-- Scoring: the lock.
select pg_temp.act('fay');
select throws_ok($$select private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), false)$$, '42501', 'Only the coaches of the team score this game.', 'strangers do not score');
select throws_ok($$select private.save_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), '{}')$$, '42501', null, 'nor save');
select pg_temp.act('cal');
select throws_ok($$select private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), true)$$, '42501', null, 'coaches of other teams neither');
select pg_temp.act('cam');
select is(private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), false) #>> '{game,home_name}', 'Gulls', 'a coach takes the lock');
select is(private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('two'), false) #>> '{held,mine}', 'true', 'another device is told who has it');
select is(private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('two'), true) ? 'log', true, 'and can take over');
select throws_ok($$select private.save_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), '{}')$$, 'PT409', null, 'then the first device cannot save');
reset role;
update private.scorer_locks set renewed_at = now() - interval '121 seconds';
select pg_temp.act('cam');
select is(private.begin_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), false) ? 'log', true, 'a silent device loses the lock after two minutes');

-- Scoring: saving.
select lives_ok($$select private.save_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), jsonb_build_object(
  'lineups', jsonb_build_array(
    jsonb_build_object('athlete', pg_temp.athlete('ann'), 'side', 0, 'jersey', '17', 'order', 1, 'position', 6),
    jsonb_build_object('athlete', pg_temp.athlete('pri'), 'side', 0, 'jersey', '8', 'order', 2, 'position', 4),
    jsonb_build_object('athlete', pg_temp.athlete('kit'), 'side', 0, 'jersey', '9', 'order', 3, 'position', 3),
    jsonb_build_object('athlete', pg_temp.id('gue'), 'side', 1, 'jersey', '1', 'order', 1, 'position', 1, 'name', 'Guest One')),
  'plays', jsonb_build_array(jsonb_build_object('id', pg_temp.id('pl1'), 'record', 'play,1,0,' || pg_temp.athlete('kit') || ',00,BX,HR')),
  'current', jsonb_build_array(jsonb_build_object('id', pg_temp.id('pl1'), 'outcome', '{"runs": 1}'::jsonb)),
  'lines', jsonb_build_object('score', '[]'::jsonb, 'pitching', '[]'::jsonb, 'fielding', '[]'::jsonb, 'batting', jsonb_build_array(
    jsonb_build_object('game_id', pg_temp.game('Gulls'), 'athlete_id', pg_temp.athlete('kit'), 'side', 0, 'bat_order', 3, 'positions', '1B', 'more', '{}'::jsonb,
      'pa', 1, 'ab', 1, 'r', 1, 'h', 1, 'doubles', 0, 'triples', 0, 'hr', 1, 'rbi', 1, 'sb', 0, 'cs', 0, 'bb', 0, 'so', 0, 'ibb', 0, 'hbp', 0, 'sh', 0, 'sf', 0, 'gidp', 0))),
  'state', '{"status": "final", "visitor_runs": 1}'::jsonb))$$, 'a coach saves');
select results_eq('select visitor_runs, status, revision from public.games where is_public and owner_team_id = pg_temp.team(''Owls'')', $$values (1::smallint, 'final', 1::bigint)$$, 'the game has its state');
select results_eq('select call from public.pitches order by number', $$values ('B'), ('X')$$, 'pitches follow from the plays');
select is(pg_temp.seen(pg_temp.id('gue')), 'Guest One', 'the coach reads a guest''s name');
select throws_ok($$select private.save_scoring(pg_temp.game('Gulls'), pg_temp.id('dev'), jsonb_build_object('lineups',
  jsonb_build_array(jsonb_build_object('athlete', gen_random_uuid(), 'side', 0))))$$, 'PT400', null, 'a lineup has only players of the roster, and guests');
-- Pitches of an unfinished plate appearance.
select lives_ok($$select private.save_turn(pg_temp.game('Gulls'), pg_temp.id('dev'), '{"pitches": "BC>F", "balls": 1, "strikes": 2}')$$, 'a coach saves pitches');
select throws_ok($$select private.save_turn(pg_temp.game('Gulls'), pg_temp.id('two'), '{"pitches": "B"}')$$, 'PT409', null, 'a device without the lock saves no pitches');
select throws_ok($$select private.save_turn(pg_temp.game('Gulls'), pg_temp.id('dev'), '{"pitches": "Ann Child"}')$$, '23514', null, 'pitches must be letters of the notation');
select throws_ok($$select private.rebuild_game(pg_temp.game('Gulls'), 1, '{}')$$, '42501', null, 'coaches cannot rebuild a game');
select pg_temp.act('cal');
select throws_ok($$select private.save_turn(pg_temp.game('Gulls'), pg_temp.id('dev'), '{"pitches": "B"}')$$, '42501', null, 'strangers save no pitches');
select pg_temp.act('anon');
select results_eq($$select pitches, balls, strikes, revision from public.games where is_public and pitches <> ''$$, $$values ('BC>F', 1::smallint, 2::smallint, 1::bigint)$$, 'visitors of a public game see the pitches');
select throws_ok($$update public.games set pitches = 'B'$$, '42501', null, 'visitors cannot change the pitches');
reset role;
select throws_ok('update public.plays set record = ''play,1,0,x,??,,K''', '42501', 'Plays are only added.', 'a play stays as it was entered');

-- Watching.
insert into realtime.messages (topic, extension, event, payload, private)
select 'game:' || id, 'broadcast', 'any', '{}'::jsonb, true from public.games union all select 'game:x', 'broadcast', 'any', '{}'::jsonb, true;
create function pg_temp.channels() returns bigint language sql stable as $$ select count(*) from realtime.messages where topic like 'game:%' $$;
select pg_temp.act('anon');
select is(pg_temp.channels(), 1::bigint, 'visitors join the channel of a public game');
select throws_ok($$insert into realtime.messages (topic, extension, event, payload, private) values ('game:' || pg_temp.game('Gulls'), 'broadcast', 'any', '{}', true)$$, '42501', null, 'and send nothing to it');
select pg_temp.act('fay');
-- A signed-in adult also sees the public game of a team that is not vetted.
select is(pg_temp.channels(), 2::bigint, 'so do strangers with an account');
select pg_temp.act('gus');
select is(pg_temp.channels(), 3::bigint, 'a guardian also those of the team');
select pg_temp.act('cam');
select throws_ok($$insert into realtime.messages (topic, extension, event, payload, private) values ('game:' || pg_temp.game('Gulls'), 'broadcast', 'any', '{}', true)$$, '42501', null, 'not even the coach sends');

-- Names.
select pg_temp.act('anon');
select results_eq(
  $$select pg_temp.seen(athlete_id) from public.lineups order by side, bat_order$$,
  $$values ('ann'), ('#8 P'), ('#9 K'), ('#1 G')$$, 'visitors read public names, otherwise number and initial');
select is((select count(*) from public.athlete_identities where user_id = pg_temp.id('kit')), 0::bigint, 'and not which account a child has');
select pg_temp.act('fay');
select is(pg_temp.seen(pg_temp.athlete('kit')), '#9 K', 'so do strangers with an account');
select pg_temp.act('gus');
select is(pg_temp.seen(pg_temp.athlete('kit')), 'kit', 'a guardian reads the child''s name');
select pg_temp.act('cal');
select is(pg_temp.seen(pg_temp.id('gue')), '#1 G', 'other coaches do not read the name of a guest');

-- Lines.
select pg_temp.act('anon');
select is((select hr from public.player_season_batting), 1, 'a public, final game counts for the season');
select is(public.page_meta('/games/' || pg_temp.game('Gulls')) ->> 'title', 'Owls at Gulls', 'a link to a public game has a preview');
select is(public.page_meta('/games/' || pg_temp.game('Terns')), null, 'a link to a game of the team alone has none');
select pg_temp.act('cam');
select lives_ok('update public.games set is_public = false', 'the game becomes private');
select is((select count(*) from public.player_season_batting), 0::bigint, 'and leaves the season lines');
select pg_temp.act('anon');
select is((select count(*) from public.plays) + (select count(*) from public.lineups) + (select count(*) from public.player_game_batting)
  + (select count(*) from public.athletes) + (select count(*) from public.rosters), 0::bigint, 'visitors no longer read anything of it');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select pg_temp.act('kit');
select is((select count(*) from public.player_game_batting), 1::bigint, 'a player who left keeps reading the own line');
select is((select count(*) from public.games), 0::bigint, 'but not the game');

-- An account that is deleted.
reset role;
delete from auth.users where id = pg_temp.id('ann');
select is((select count(*) from public.lineups as l join public.athletes as a on a.id = l.athlete_id where a.initial = ''), 1::bigint, 'a deleted account leaves an athlete without an initial');

select * from finish();
rollback;

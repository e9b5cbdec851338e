-- Scorebook seasons on leaderboards, in percentiles and on profiles: current at once, and only of public players, public final
-- games and teams with a vetted name.
begin;
select plan(37);
delete from auth.users;
delete from public.teams;
delete from public.leagues;
-- The realtime service makes a partition for each day, but does not run here.
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
create function pg_temp.athlete(name text) returns uuid
language sql stable security definer
as $$ select athlete_id from public.athlete_identities where user_id = pg_temp.id(name) $$;
create function pg_temp.year() returns integer
language sql stable security definer
as $$ select extract(year from private.today())::integer $$;
-- "1 ann .500 of 40": rank, name, value and tries of each row.
create function pg_temp.listed(board jsonb) returns text
language sql
as $$
  select string_agg(concat_ws(' ', coalesce(r ->> 'rank', '-'), r ->> 'name', r ->> 'value', 'of', r ->> 'tries', r ->> 'source'), ', ' order by n)
  from jsonb_array_elements(board -> 'rows') with ordinality as rows (r, n)
$$;
-- A final game of a team, in which each of these players has the same lines.
create function pg_temp.play(team text, opponent text, day date, shown boolean, players text[], at_bats integer, hits integer) returns uuid
language plpgsql
as $$
declare
  game constant uuid := gen_random_uuid();
begin
  insert into public.games (id, season_id, owner_team_id, home_team_id, visitor_name, home_name, played_on, is_public, status, home_runs, visitor_runs, created_by)
  values (game, pg_temp.id('sea'), pg_temp.id(team), pg_temp.id(team), opponent, initcap(team), day, shown, 'final', 5, 2, pg_temp.id('cam'));
  insert into public.lineups (game_id, athlete_id, side) select game, pg_temp.athlete(p), 1 from unnest(players) as p;
  insert into public.player_game_batting (game_id, athlete_id, side, pa, ab, h, hr) select game, pg_temp.athlete(p), 1, at_bats, at_bats, hits, 1 from unnest(players) as p;
  insert into public.player_game_pitching (game_id, athlete_id, side, number, outs, er, so) select game, pg_temp.athlete(p), 1, 1, 18, 2, 7 from unnest(players) as p;
  perform private.sum_season(pg_temp.id('sea'), pg_temp.id(team));
  return game;
end
$$;

-- cam is a verified coach, cal is not. ann, zoe and pri are adults, pri private; kit is 11 and has a guardian; hid is 15 and not shown.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('cal', 'coach'), ('ann', 'player'), ('zoe', 'player'), ('pri', 'player'), ('kit', 'player'), ('hid', 'player'),
  ('fay', 'fan'), ('gus', 'fan'), ('min', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select u.id, private.today() - make_interval(years => case u.id when pg_temp.id('kit') then 11 when pg_temp.id('hid') then 15 when pg_temp.id('min') then 15 else 30 end)
from public.users as u;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
insert into public.leagues (id, name, level) values (pg_temp.id('lea'), 'League', '16U');
-- Without a caller a team's name is vetted.
insert into public.teams (id, name, league_id, created_by) values (pg_temp.id('owl'), 'Owls', pg_temp.id('lea'), pg_temp.id('cam')), (pg_temp.id('jay'), 'Jays', pg_temp.id('lea'), pg_temp.id('cal'));
update public.teams set vetted = false where id = pg_temp.id('jay');
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.id(team), pg_temp.id(name), 'player', 'active' from unnest(array['owl', 'jay']) as team, unnest(array['ann', 'zoe', 'pri', 'kit', 'hid']) as name;
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id('owl'), pg_temp.id('cam'), 'coach', 'active');
insert into public.seasons (id, league_id, year) values (pg_temp.id('sea'), pg_temp.id('lea'), extract(year from private.today()));

-- One game of the Owls, in which everybody hits .400 in 30 at-bats.
create temporary table games as select pg_temp.play('owl', 'Terns', private.today() - 9, true, array['ann', 'zoe', 'pri', 'kit', 'hid'], 30, 12) as id;
grant select on games to anon, authenticated;
select pg_temp.act('fay');
select is(pg_temp.listed(public.leaderboard('avg')), '- ann 0.400 of 30 scorebook, - zoe 0.400 of 30 scorebook', 'a final game is on the leaderboard of checked numbers at once; hidden players are not');
select is(public.leaderboard('avg') -> 'rows' -> 0 ->> 'needs', '10', 'the tries of the scorebook qualify');
select is((public.leaderboard('avg') ->> 'unverified')::integer, 0, 'nobody has self-reported numbers alone');
select is(pg_temp.listed(public.leaderboard('hr')), '1 ann 1 of 30 scorebook, 1 zoe 1 of 30 scorebook', 'counts are there, too');
select is(pg_temp.listed(public.leaderboard('era')), '- ann 3.00 of 18 scorebook, - zoe 3.00 of 18 scorebook', 'and pitching');
reset role;
select pg_temp.play('owl', 'Gulls', private.today() - 8, true, array['ann'], 10, 8) is not null as another;
select pg_temp.act('fay');
select is(pg_temp.listed(public.leaderboard('avg')), '1 ann 0.500 of 40 scorebook, - zoe 0.400 of 30 scorebook', 'the next game is added at once');
reset role;
update public.games set is_public = false where id <> (select id from games);
select pg_temp.act('fay');
select is(pg_temp.listed(public.leaderboard('avg', minimum => 30)), '1 ann 0.400 of 30 scorebook, 1 zoe 0.400 of 30 scorebook', 'a game that is no longer public does not count');
reset role;
update public.games set is_public = true;

-- Self-reported lines beside the scorebook.
insert into public.batting_lines (player_id, season, pa, ab, h) select pg_temp.id(n), pg_temp.year(), 100, 100, h from (values ('ann', 90), ('kit', 90)) as l (n, h);
insert into public.batting_lines (player_id, season, pa, ab, h) values (pg_temp.id('zoe'), pg_temp.year(), 20, 20, 20), (pg_temp.id('zoe'), pg_temp.year() - 1, 50, 50, 5);
select pg_temp.act('fay');
select is(pg_temp.listed(public.leaderboard('avg', minimum => 30)), '1 ann 0.500 of 40 scorebook, 2 zoe 0.400 of 30 scorebook', 'lines of the players'' own change no checked number');
select is(pg_temp.listed(public.leaderboard('avg', minimum => 30, evidence => 'all')), '1 ann 0.900 of 100 self, 2 zoe 0.400 of 30 scorebook', 'with all evidence the source with more tries counts');
select is(pg_temp.listed(public.leaderboard('avg', pg_temp.year() - 1)), null, 'a season without a scorebook has no checked numbers');
select is((public.leaderboard('avg', pg_temp.year() - 1) ->> 'unverified')::integer, 1, 'and counts the others');
reset role;
select bag_eq('select * from private.standings', 'select now.* from (select array_agg(id) as people from public.profiles) as p, private.standings_now(p.people) as now', 'the kept rows equal freshly computed ones');

-- The latest season is the last one with checked numbers.
insert into public.batting_lines (player_id, season, pa, ab, h) values (pg_temp.id('ann'), pg_temp.year(), 60, 60, 6)
on conflict on constraint batting_lines_once_key do nothing;
update public.seasons set year = year - 1 where id = pg_temp.id('sea');
select private.renew_players_of(array[pg_temp.athlete('ann'), pg_temp.athlete('zoe')]);
select pg_temp.act('fay');
select is((public.leaderboard('avg') ->> 'season')::integer, pg_temp.year() - 1, 'the default season is the last with checked numbers');
select is((public.leaderboard('avg', evidence => 'all') ->> 'season')::integer, pg_temp.year(), 'with all evidence the last of any');
reset role;
update public.seasons set year = year + 1 where id = pg_temp.id('sea');
select private.renew_players_of(array[pg_temp.athlete('ann'), pg_temp.athlete('zoe')]);

-- Teams that nobody vouches for.
select pg_temp.play('jay', 'Nobody', private.today() - 7, true, array['ann'], 200, 200) is not null as invented;
select pg_temp.act('fay');
select is(public.leaderboard('avg') -> 'rows' -> 0 ->> 'tries', '40', 'games of a team without a vetted name do not count');
reset role;
update public.teams set vetted = true where id = pg_temp.id('jay');
select pg_temp.act('fay');
select is(public.leaderboard('avg') -> 'rows' -> 0 ->> 'tries', '240', 'they count once the name is vetted');
reset role;
update public.teams set vetted = false where id = pg_temp.id('jay');
select pg_temp.act('fay');
select is(public.leaderboard('avg') -> 'rows' -> 0 ->> 'tries', '40', 'and no longer when it is not');

-- Trails: a rate after each game.
select is(public.leaderboard('avg') -> 'rows' -> 0 -> 'trail', 'null', 'two games are no trail');
reset role;
select count(pg_temp.play('owl', 'Team ' || n, private.today() - 7 + n, true, array['ann'], 10, 0)) as more from generate_series(1, 3) as n;
select pg_temp.act('fay');
select is(public.leaderboard('avg') -> 'rows' -> 0 -> 'trail', '[0.4, 0.5, 0.4, 0.333, 0.286]', 'five games are one, the oldest first');
select is(public.leaderboard('avg', places => 1000) -> 'rows' -> 0 -> 'trail', 'null', 'files have none');

-- Percentiles use the scorebook of the newest season, with its size.
select results_eq($$select value, source, tries, season from public.player_percentiles(pg_temp.id('ann')) where metric = 'avg'$$,
  $$values (0.286, 'scorebook', 70, pg_temp.year())$$, 'a scorebook season counts before a self-reported one');
select is_empty($$select from public.player_percentiles(pg_temp.id('kit'))$$, 'a hidden player has no percentiles for others');
reset role;
select results_eq($$select player_id, metric, value, source, tries, season from public.player_numbers order by 1, 2$$,
  $$select player_id, metric, value, source, tries, season from private.numbers_now order by 1, 2$$, 'the stored numbers equal the computed ones');

-- The profile.
select pg_temp.act('fay');
select is((select string_agg(concat_ws(' ', r ->> 'team', r ->> 'pa', r ->> 'h', r ->> 'vetted'), ', ' order by n)
  from jsonb_array_elements(public.scorebook_of(pg_temp.id('ann')) -> 'batting') with ordinality as rows (r, n)), 'Jays 200 200 false, Owls 70 20 true',
  'adults read the seasons of all teams, and whether the name is vetted');
select is((select string_agg(concat_ws(' ', r ->> 'opponent', r ->> 'runs', r ->> 'allowed', r -> 'batting' ->> 'h', r -> 'pitching' ->> 'outs'), ', ' order by n)
  from jsonb_array_elements(public.scorebook_of(pg_temp.id('ann')) -> 'games') with ordinality as rows (r, n)),
  'Team 3 5 2 0 18, Team 2 5 2 0 18, Team 1 5 2 0 18, Nobody 5 2 200 18, Gulls 5 2 8 18, Terns 5 2 12 18', 'the game log, the newest first');
select is(public.scorebook_of(pg_temp.id('kit')), '{"batting": [], "pitching": [], "games": []}', 'a hidden player has no scorebook');
select is(public.scorebook_of(pg_temp.id('hid')), public.scorebook_of(gen_random_uuid()), 'nor can one be told from somebody unknown');
select pg_temp.act('min');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('ann')) -> 'batting'), 1, 'minors read nothing of teams without a vetted name');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('ann')) -> 'games'), 5, 'nor their games');
select pg_temp.act('anon');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('ann')) -> 'games'), 5, 'visitors neither');
select pg_temp.act('gus');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('kit')) -> 'games'), 1, 'the guardian reads that of the child');
reset role;
select count(pg_temp.play('owl', 'Again ' || n, private.today() - 60 + n, true, array['zoe'], 1, 0)) as many from generate_series(1, 25) as n;
select pg_temp.act('fay');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('zoe')) -> 'games'), 20, 'the log ends after 20 games');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('fay'), 'A reason');
select pg_temp.act('fay');
select is(jsonb_array_length(public.scorebook_of(pg_temp.id('ann')) -> 'games'), 0, 'suspended users read none');

-- Batted balls.
reset role;
insert into public.plays (game_id, id, seq, record, ord, outcome)
select (select id from games), gen_random_uuid(), n, r, n, jsonb_build_object('batting', 1, 'batter', pg_temp.athlete(who), 'turn', '{"result": "single"}'::jsonb)
from (values (1, 'play,1,1,x,00,,S7/G', 'ann'), (2, 'play,1,1,x,00,,K', 'ann'), (3, 'play,1,1,x,00,,S8/F', 'zoe'), (4, 'play,1,1,x,00,,S9/F', 'kit')) as p (n, r, who);
select pg_temp.act('anon');
select results_eq($$select record from public.batted_balls_of(pg_temp.id('ann'))$$, $$values ('play,1,1,x,00,,S7/G')$$, 'the balls of one batter, without strikeouts');
select is_empty($$select from public.batted_balls_of(pg_temp.id('kit'))$$, 'hidden players have none');

-- Deleting a season or an account.
reset role;
delete from public.seasons where id = pg_temp.id('sea');
select is_empty($$select from private.standings where checked_value is not null and season > 0$$, 'a deleted season is on no leaderboard');
select is_empty($$select from public.player_numbers where source = 'scorebook'$$, 'nor in percentiles');

select * from finish();
rollback;

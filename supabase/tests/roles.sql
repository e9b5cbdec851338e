-- The permissions on every table, as tables to read. Each column is a user, each cell the result: the number of rows
-- read or written, "-" where row level security or a missing grant refuses, "x" where a constraint or trigger does.
-- Each write is undone before the next.
begin;
select plan(105);

-- Hides the data of a developer's database until the rollback.
delete from auth.users;
delete from public.leagues;
delete from public.contact_messages;
delete from public.audit_log;
delete from public.referral_codes;
delete from public.referral_analytics;

-- ann is an adult, tim 15 with a public profile, kid 11, kit 11 with gus as guardian, new has given no birth date. pri
-- has a private profile and plays in the team of cam, a verified coach. sus is suspended. adm has shown a second
-- factor.
create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;

insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', now(), jsonb_build_object('full_name', name, 'role', role)
from (values ('ann', 'player'), ('tim', 'player'), ('kid', 'player'), ('kit', 'player'), ('new', 'player'), ('pri', 'player'),
  ('cam', 'coach'), ('sam', 'scout'), ('fay', 'fan'), ('gus', 'fan'), ('adm', 'fan'), ('sus', 'player')) as people (name, role);
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
update public.users set public_profile = false where full_name = 'pri';
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('ann', 30), ('tim', 15), ('kid', 11), ('kit', 11), ('pri', 30), ('cam', 40), ('sam', 40), ('fay', 40), ('gus', 40),
  ('adm', 40), ('sus', 40)) as ages (name, age);
update public.users set public_profile = true where full_name = 'tim';
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into public.leagues (id, name, level) values (pg_temp.id('lea'), 'League', '16U');
insert into public.teams (id, league_id, name, created_by) values (pg_temp.id('tea'), pg_temp.id('lea'), 'Team', pg_temp.id('cam'));
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.id('tea'), pg_temp.id('cam'), 'coach', 'active'), (pg_temp.id('tea'), pg_temp.id('pri'), 'player', 'active'),
  (pg_temp.id('tea'), pg_temp.id('tim'), 'player', 'asked');
-- One of everything for each of the seven players.
insert into public.measurements (player_id, kind, value, source) select user_id, 'bat_speed', 60, 'self' from public.players;
insert into public.batting_lines (player_id, season) select user_id, 2026 from public.players;
insert into public.pitching_lines (player_id, season) select user_id, 2026 from public.players;
insert into public.videos (player_id, title, url) select user_id, 'Swing', 'https://video.example.com/1' from public.players;
insert into public.commitments (player_id, program) select user_id, 'State' from public.players;
insert into public.player_academics (user_id, school, gpa) select user_id, 'North', 3.5 from public.players;
-- And for each user.
insert into public.follows (follower_id, followed_id) select id, pg_temp.id('ann') from public.users where full_name <> 'ann';
insert into public.watchlists (owner_id, name) select id, 'List' from public.users;
insert into public.watchlist_players (watchlist_id, player_id) select id, pg_temp.id('ann') from public.watchlists;
insert into public.scout_notes (scout_id, player_id) values (pg_temp.id('sam'), pg_temp.id('ann'));
insert into public.notification_preferences (user_id, topic, channel, enabled) select id, 'news', 'app', false from public.users;
insert into public.reports (reporter_id, subject_kind, reason) select id, 'other', 'other' from public.users;
insert into public.contact_messages (name, email, message) values ('Guest', 'guest@example.com', 'Hello');
insert into public.page_views (user_id, page_path) select id, '/' from public.users;
insert into public.user_sessions (user_id, device_type) select id, 'Mobile' from public.users;
insert into public.referral_analytics (referral_code, action) values ('X', 'click');
delete from public.audit_log;
insert into public.audit_log (action) values ('tested');
insert into public.suspensions (user_id, reason) values (pg_temp.id('sus'), 'A reason');

create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case when name = 'anon' then '{"role": "anon"}'
    else jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2', 'email', name || '@example.com')::text end, true);
  perform set_config('role', case when name = 'anon' then 'anon' else 'authenticated' end, true);
end
$$;

-- The result of a statement for one user; "{me}" in it is that user's id.
create function pg_temp.try(name text, statement text) returns text
language plpgsql
as $$
declare
  outcome text;
  written bigint;
begin
  begin
    perform pg_temp.act(name);
    execute replace(statement, '{me}', coalesce(pg_temp.id(nullif(name, 'anon')), pg_temp.id('fay'))::text);
    get diagnostics written = row_count;
    outcome := written::text;
    raise exception 'undo' using errcode = 'T0000';
  exception
    when sqlstate 'T0000' then null;
    when insufficient_privilege then outcome := '-';
    when others then outcome := case when sqlstate like '23%' or sqlstate like 'PT4%' then 'x' else sqlstate || ' ' || sqlerrm end;
  end;
  perform set_config('role', 'none', true);
  return outcome;
end
$$;

create function pg_temp.all_try(statement text) returns text
language sql
as $$
  select string_agg(lpad(pg_temp.try(name, statement), 3), ' ' order by place)
  from unnest(array['anon', 'ann', 'tim', 'kid', 'kit', 'new', 'pri', 'cam', 'sam', 'fay', 'gus', 'adm', 'sus'])
    with ordinality as people (name, place)
$$;

create function pg_temp.all_read(relation text) returns text
language sql
as $$ select pg_temp.all_try('select from public.' || relation) $$;

--                           anon ann tim kid kit new pri cam sam fay gus adm sus

--                           anon ann tim kid kit new pri cam sam fay gus adm sus

-- Reading.
select is(pg_temp.all_read('users'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'rows of users that each user reads');
select is(pg_temp.all_read('profiles'),
  '  7   7   7   8   8   8   8   8   7   7   8  12   0', 'rows of profiles that each user reads');
select is(pg_temp.all_read('birth_dates'),
  '  -   1   1   1   1   0   1   1   1   1   2   1   0', 'rows of birth_dates that each user reads');
select is(pg_temp.all_read('guardianships'),
  '  -   0   0   0   1   0   0   0   0   0   1   1   0', 'rows of guardianships that each user reads');
select is(pg_temp.all_read('suspensions'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   1', 'rows of suspensions that each user reads');
select is(pg_temp.all_read('players'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of players that each user reads');
select is(pg_temp.all_read('coaches'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of coaches that each user reads');
select is(pg_temp.all_read('scouts'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of scouts that each user reads');
select is(pg_temp.all_read('measurement_kinds'),
  ' 14  14  14  14  14  14  14  14  14  14  14  14  14', 'rows of measurement_kinds that each user reads');
select is(pg_temp.all_read('measurements'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of measurements that each user reads');
select is(pg_temp.all_read('batting_lines'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of batting_lines that each user reads');
select is(pg_temp.all_read('pitching_lines'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of pitching_lines that each user reads');
select is(pg_temp.all_read('videos'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of videos that each user reads');
select is(pg_temp.all_read('commitments'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'rows of commitments that each user reads');
select is(pg_temp.all_try('select user_id from public.player_academics'),
  '  1   1   2   2   2   2   2   3   1   1   2   3   0', 'rows of player_academics that each user reads: adults'', and minors'' for family and verified coaches');
select is(pg_temp.all_read('follows'),
  '  -   0   1   1   1   1   1   1   1   1   1   1   0', 'rows of follows that each user reads');
select is(pg_temp.all_read('watchlists'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of watchlists that each user reads');
select is(pg_temp.all_read('watchlist_players'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of watchlist_players that each user reads');
select is(pg_temp.all_read('scout_notes'),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'rows of scout_notes that each user reads');
select is(pg_temp.all_read('notification_preferences'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of notification_preferences that each user reads');
select is(pg_temp.all_read('leagues'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of leagues that each user reads');
select is(pg_temp.all_read('teams'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'rows of teams that each user reads');
select is(pg_temp.all_read('team_members'),
  '  1   1   2   1   1   1   2   3   1   1   1   2   0', 'rows of team_members that each user reads');
select is(pg_temp.all_read('pricing_tiers'),
  '  3   3   3   3   3   3   3   3   3   3   3   3   3', 'rows of pricing_tiers that each user reads');
select is(pg_temp.all_read('memberships'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'rows of memberships that each user reads');
select is(pg_temp.all_read('contact_messages'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'rows of contact_messages that each user reads');
select is(pg_temp.all_read('reports'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of reports that each user reads');
select is(pg_temp.all_read('audit_log'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'rows of audit_log that each user reads');
select is(pg_temp.all_read('admin_audit_log'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'rows of admin_audit_log that each user reads');
select is(pg_temp.all_read('admin_reports'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of admin_reports that each user reads');
select is(pg_temp.all_read('admin_users'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'rows of admin_users that each user reads');
select is(pg_temp.all_read('token_ledger'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of token_ledger that each user reads');
select is(pg_temp.all_read('referral_codes'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of referral_codes that each user reads');
select is(pg_temp.all_read('referral_analytics'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'rows of referral_analytics that each user reads');
select is(pg_temp.all_read('page_views'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of page_views that each user reads');
select is(pg_temp.all_read('user_sessions'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'rows of user_sessions that each user reads');

-- Writing.
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (''{me}'', ''bat_speed'', 60, ''self'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'users who can add their own measurements');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (pg_temp.id(''kit''), ''bat_speed'', 60, ''self'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'users who can add kit''s measurements: the child and its guardian');
select is(pg_temp.all_try('update public.measurements set event = ''Camp'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'measurements that each user can change: their own and their wards''');
select is(pg_temp.all_try('delete from public.measurements'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'measurements that each user can delete: their own and their wards''');
select is(pg_temp.all_try('insert into public.batting_lines (player_id, season) values (''{me}'', 2025)'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'users who can add their own batting_lines');
select is(pg_temp.all_try('insert into public.batting_lines (player_id, season) values (pg_temp.id(''kit''), 2025)'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'users who can add kit''s batting_lines: the child and its guardian');
select is(pg_temp.all_try('update public.batting_lines set g = 1'),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'batting_lines that each user can change: their own and their wards''');
select is(pg_temp.all_try('delete from public.batting_lines'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'batting_lines that each user can delete: their own and their wards''');
select is(pg_temp.all_try('insert into public.pitching_lines (player_id, season) values (''{me}'', 2025)'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'users who can add their own pitching_lines');
select is(pg_temp.all_try('insert into public.pitching_lines (player_id, season) values (pg_temp.id(''kit''), 2025)'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'users who can add kit''s pitching_lines: the child and its guardian');
select is(pg_temp.all_try('update public.pitching_lines set g = 1'),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'pitching_lines that each user can change: their own and their wards''');
select is(pg_temp.all_try('delete from public.pitching_lines'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'pitching_lines that each user can delete: their own and their wards''');
select is(pg_temp.all_try('insert into public.videos (player_id, title, url) values (''{me}'', ''Swing'', ''https://video.example.com/2'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'users who can add their own videos');
select is(pg_temp.all_try('insert into public.videos (player_id, title, url) values (pg_temp.id(''kit''), ''Swing'', ''https://video.example.com/2'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'users who can add kit''s videos: the child and its guardian');
select is(pg_temp.all_try('update public.videos set title = ''Other'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'videos that each user can change: their own and their wards''');
select is(pg_temp.all_try('delete from public.videos'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'videos that each user can delete: their own and their wards''');
select is(pg_temp.all_try('insert into public.commitments (player_id, program, status) values (''{me}'', ''State'', ''withdrawn'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'users who can add their own commitments');
select is(pg_temp.all_try('insert into public.commitments (player_id, program, status) values (pg_temp.id(''kit''), ''State'', ''withdrawn'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'users who can add kit''s commitments: the child and its guardian');
select is(pg_temp.all_try('update public.commitments set status = ''signed'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'commitments that each user can change: their own and their wards''');
select is(pg_temp.all_try('delete from public.commitments'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'commitments that each user can delete: their own and their wards''');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (pg_temp.id(''pri''), ''bat_speed'', 60, ''coach'')'),
  '  -   -   -   -   -   -   -   1   -   -   -   -   -', 'only coaches of the team can add a player''s measurements');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (''{me}'', ''bat_speed'', 60, ''event'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'players cannot add their own measurements as an event''s');
select is(pg_temp.all_try('update public.measurements set verified_by = ''{me}'', verified_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'verification cannot be written directly');
select is(pg_temp.all_try('update public.measurements set value = 70'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'values of measurements cannot be changed');
select is(pg_temp.all_try('insert into public.players (user_id) values (''{me}'')'),
  '  -   x   x   -   x   x   x   1   1   1   1   1   -', 'users without a player''s row can create their own');
select is(pg_temp.all_try('update public.players set hometown = ''X'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'players'' rows that each user can change');
select is(pg_temp.all_try('delete from public.players'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'players'' rows cannot be deleted');
select is(pg_temp.all_try('update public.coaches set bio = ''X'''),
  '  -   0   0   0   0   0   0   1   0   0   0   0   0', 'coaches can change their own row');
select is(pg_temp.all_try('update public.scouts set bio = ''X'''),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'scouts can change their own row');
select is(pg_temp.all_try('update public.scouts set verified_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'scouts cannot verify themselves');
select is(pg_temp.all_try('update public.users set public_profile = true'),
  '  -   1   1   -   -   1   1   1   1   1   1   1   0', 'users from 13 on can make their profile public');
select is(pg_temp.all_try('update public.users set is_admin = true'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'admin rights cannot be written directly');
select is(pg_temp.all_try('update public.users set role = ''scout'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'roles cannot be written directly');
select is(pg_temp.all_try('update public.profiles set full_name = ''X'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'profiles cannot be written');
select is(pg_temp.all_try('select shown_from from public.profiles'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'the column shown_from cannot be read');
select is(pg_temp.all_try('insert into public.birth_dates (user_id, birth_date) values (''{me}'', ''1990-01-01'')'),
  '  -   x   x   x   -   1   x   x   x   x   x   x   -', 'users without a birth date and a guardian can enter one');
select is(pg_temp.all_try('update public.birth_dates set birth_date = ''1990-01-01'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'birth dates cannot be changed');
select is(pg_temp.all_try('insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id(''kid''), ''{me}'', ''x@example.com'', ''accepted'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'guardianships cannot be inserted directly');
select is(pg_temp.all_try('update public.guardianships set status = ''revoked'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'guardianships cannot be changed directly');
select is(pg_temp.all_try('insert into public.suspensions (user_id, reason) values (pg_temp.id(''ann''), ''A reason'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'suspensions cannot be inserted directly');
select is(pg_temp.all_try('update public.suspensions set lifted_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'suspensions cannot be lifted directly');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (''{me}'', pg_temp.id(''tim''))'),
  '  -   1   x   -   1   1   1   1   1   1   1   1   -', 'everyone but tim and children without a guardian can follow tim');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (''{me}'', pg_temp.id(''pri''))'),
  '  -   -   -   -   -   -   x   1   -   -   -   1   -', 'those who see pri can follow her');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (pg_temp.id(''fay''), pg_temp.id(''tim''))'),
  '  -   -   -   -   -   -   -   -   -   1   -   -   -', 'only fay can add fay''s follows');
select is(pg_temp.all_try('delete from public.follows'),
  '  -   0   1   1   1   1   1   1   1   1   1   1   0', 'users can delete their own follows');
select is(pg_temp.all_try('insert into public.watchlists (owner_id, name) values (''{me}'', ''Other'')'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'users can create a watchlist');
select is(pg_temp.all_try('insert into public.watchlist_players (watchlist_id, player_id) select id, pg_temp.id(''kid'') from public.watchlists'),
  '  -   -   -   1   -   -   -   -   -   -   -   1   0', 'those who see kid''s profile can add kid to a watchlist');
select is(pg_temp.all_try('delete from public.watchlists'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'users can delete their own watchlists');
select is(pg_temp.all_try('insert into public.scout_notes (scout_id, player_id) values (''{me}'', pg_temp.id(''tim''))'),
  '  -   x   x   x   x   x   x   x   1   x   x   x   -', 'scouts can write notes');
select is(pg_temp.all_try('insert into public.scout_notes (scout_id, player_id) values (''{me}'', pg_temp.id(''pri''))'),
  '  -   -   -   -   -   -   x   x   -   -   -   x   -', 'scouts cannot write notes about players they do not see');
select is(pg_temp.all_try('delete from public.scout_notes'),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'scouts can delete their notes');
select is(pg_temp.all_try('insert into public.notification_preferences (user_id, topic, channel, enabled) values (''{me}'', ''team'', ''app'', false)'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'users can set their notification preferences');
select is(pg_temp.all_try('insert into public.notification_preferences (user_id, topic, channel, enabled) values (''{me}'', ''security'', ''email'', false)'),
  '  -   x   x   x   x   x   x   x   x   x   x   x   -', 'notifications about security cannot be disabled');
select is(pg_temp.all_try('insert into public.leagues (name, level) values (''Other'', ''14U'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   1   -', 'admins can create leagues');
select is(pg_temp.all_try('update public.leagues set active = false'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'admins can close leagues');
select is(pg_temp.all_try('insert into public.teams (name) values (''Other'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'teams cannot be inserted directly');
select is(pg_temp.all_try('update public.teams set name = ''Other'''),
  '  -   0   0   0   0   0   0   1   0   0   0   1   0', 'coaches of the team and admins can rename teams');
select is(pg_temp.all_try('insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id(''tea''), ''{me}'', ''coach'', ''active'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'memberships of teams cannot be inserted directly');
select is(pg_temp.all_try('update public.team_members set status = ''active'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'memberships of teams cannot be changed directly');
select is(pg_temp.all_try('delete from public.team_members'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'memberships of teams cannot be deleted directly');
select is(pg_temp.all_try('insert into public.memberships (user_id, tier) values (''{me}'', ''ELITE'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'membership tiers cannot be inserted');
select is(pg_temp.all_try('update public.memberships set tier = ''ELITE'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'membership tiers cannot be changed');
select is(pg_temp.all_try('update public.pricing_tiers set price_monthly = 0'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'prices cannot be changed');
select is(pg_temp.all_try('insert into public.contact_messages (name, email, message) values (''G'', ''g@example.com'', ''Hi'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'contact messages cannot be inserted directly');
select is(pg_temp.all_try('insert into public.reports (subject_kind, reason) values (''other'', ''other'')'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'users can send reports');
select is(pg_temp.all_try('update public.reports set status = ''resolved'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'users cannot resolve reports');
select is(pg_temp.all_try('insert into public.audit_log (action) values (''tested'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'the audit log cannot be written');
select is(pg_temp.all_try('delete from public.audit_log'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'the audit log cannot be deleted');
select is(pg_temp.all_try('insert into public.token_ledger (user_id, amount, reason) values (''{me}'', 1000, ''gift'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'the token ledger cannot be written');

select * from finish();
rollback;

-- The permissions on every table, as tables to read. Each column is a user, each cell the result: the number of rows
-- read or written, "-" where row level security or a missing grant refuses, "x" where a constraint or trigger does.
-- Each write is undone before the next.
begin;
select plan(104);

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
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'who reads how many of users');
select is(pg_temp.all_read('profiles'),
  '  7   7   7   8   8   8   8   8   7   7   8  12   0', 'who reads how many of profiles');
select is(pg_temp.all_read('birth_dates'),
  '  -   1   1   1   1   0   1   1   1   1   2   1   0', 'who reads how many of birth_dates');
select is(pg_temp.all_read('guardianships'),
  '  -   0   0   0   1   0   0   0   0   0   1   1   0', 'who reads how many of guardianships');
select is(pg_temp.all_read('suspensions'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   1', 'who reads how many of suspensions');
select is(pg_temp.all_read('players'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of players');
select is(pg_temp.all_read('coaches'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of coaches');
select is(pg_temp.all_read('scouts'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of scouts');
select is(pg_temp.all_read('measurement_kinds'),
  ' 14  14  14  14  14  14  14  14  14  14  14  14  14', 'who reads how many of measurement_kinds');
select is(pg_temp.all_read('measurements'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of measurements');
select is(pg_temp.all_read('batting_lines'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of batting_lines');
select is(pg_temp.all_read('pitching_lines'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of pitching_lines');
select is(pg_temp.all_read('videos'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of videos');
select is(pg_temp.all_read('commitments'),
  '  2   2   2   3   3   3   3   3   2   2   3   7   0', 'who reads how many of commitments');
select is(pg_temp.all_try('select user_id from public.player_academics'),
  '  1   1   2   2   2   2   2   3   1   1   2   3   0', 'who reads how many of player_academics: grown-ups'', and of minors family and verified coaches');
select is(pg_temp.all_read('follows'),
  '  -   0   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of follows');
select is(pg_temp.all_read('watchlists'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of watchlists');
select is(pg_temp.all_read('watchlist_players'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of watchlist_players');
select is(pg_temp.all_read('scout_notes'),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'who reads how many of scout_notes');
select is(pg_temp.all_read('notification_preferences'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of notification_preferences');
select is(pg_temp.all_read('leagues'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of leagues');
select is(pg_temp.all_read('teams'),
  '  1   1   1   1   1   1   1   1   1   1   1   1   0', 'who reads how many of teams');
select is(pg_temp.all_read('team_members'),
  '  1   1   2   1   1   1   2   3   1   1   1   2   0', 'who reads how many of team_members');
select is(pg_temp.all_read('pricing_tiers'),
  '  3   3   3   3   3   3   3   3   3   3   3   3   3', 'who reads how many of pricing_tiers');
select is(pg_temp.all_read('memberships'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'who reads how many of memberships');
select is(pg_temp.all_read('contact_messages'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'who reads how many of contact_messages');
select is(pg_temp.all_read('reports'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'who reads how many of reports');
select is(pg_temp.all_read('audit_log'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'who reads how many of audit_log');
select is(pg_temp.all_read('admin_audit_log'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'who reads how many of admin_audit_log');
select is(pg_temp.all_read('admin_users'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   1', 'who reads how many of admin_users');
select is(pg_temp.all_read('token_ledger'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'who reads how many of token_ledger');
select is(pg_temp.all_read('referral_codes'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'who reads how many of referral_codes');
select is(pg_temp.all_read('referral_analytics'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'who reads how many of referral_analytics');
select is(pg_temp.all_read('page_views'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'who reads how many of page_views');
select is(pg_temp.all_read('user_sessions'),
  '  -   1   1   1   1   1   1   1   1   1   1  12   0', 'who reads how many of user_sessions');

-- Writing.
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (''{me}'', ''bat_speed'', 60, ''self'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'who adds their own to measurements');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (pg_temp.id(''kit''), ''bat_speed'', 60, ''self'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'who adds kit''s to measurements: the child and its guardian');
select is(pg_temp.all_try('update public.measurements set event = ''Camp'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose measurements they change: their own, and their wards''');
select is(pg_temp.all_try('delete from public.measurements'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'whose measurements they delete: their own, and their wards''');
select is(pg_temp.all_try('insert into public.batting_lines (player_id, season) values (''{me}'', 2025)'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'who adds their own to batting_lines');
select is(pg_temp.all_try('insert into public.batting_lines (player_id, season) values (pg_temp.id(''kit''), 2025)'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'who adds kit''s to batting_lines: the child and its guardian');
select is(pg_temp.all_try('update public.batting_lines set g = 1'),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose batting_lines they change: their own, and their wards''');
select is(pg_temp.all_try('delete from public.batting_lines'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'whose batting_lines they delete: their own, and their wards''');
select is(pg_temp.all_try('insert into public.pitching_lines (player_id, season) values (''{me}'', 2025)'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'who adds their own to pitching_lines');
select is(pg_temp.all_try('insert into public.pitching_lines (player_id, season) values (pg_temp.id(''kit''), 2025)'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'who adds kit''s to pitching_lines: the child and its guardian');
select is(pg_temp.all_try('update public.pitching_lines set g = 1'),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose pitching_lines they change: their own, and their wards''');
select is(pg_temp.all_try('delete from public.pitching_lines'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'whose pitching_lines they delete: their own, and their wards''');
select is(pg_temp.all_try('insert into public.videos (player_id, title, url) values (''{me}'', ''Swing'', ''https://video.example.com/2'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'who adds their own to videos');
select is(pg_temp.all_try('insert into public.videos (player_id, title, url) values (pg_temp.id(''kit''), ''Swing'', ''https://video.example.com/2'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'who adds kit''s to videos: the child and its guardian');
select is(pg_temp.all_try('update public.videos set title = ''Other'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose videos they change: their own, and their wards''');
select is(pg_temp.all_try('delete from public.videos'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'whose videos they delete: their own, and their wards''');
select is(pg_temp.all_try('insert into public.commitments (player_id, program, status) values (''{me}'', ''State'', ''withdrawn'')'),
  '  -   1   1   -   1   1   1   x   x   x   x   x   -', 'who adds their own to commitments');
select is(pg_temp.all_try('insert into public.commitments (player_id, program, status) values (pg_temp.id(''kit''), ''State'', ''withdrawn'')'),
  '  -   -   -   -   1   -   -   -   -   -   1   -   -', 'who adds kit''s to commitments: the child and its guardian');
select is(pg_temp.all_try('update public.commitments set status = ''signed'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose commitments they change: their own, and their wards''');
select is(pg_temp.all_try('delete from public.commitments'),
  '  -   1   1   1   1   1   1   0   0   0   1   0   0', 'whose commitments they delete: their own, and their wards''');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (pg_temp.id(''pri''), ''bat_speed'', 60, ''coach'')'),
  '  -   -   -   -   -   -   -   1   -   -   -   -   -', 'a coach measures the players of the team, nobody else does');
select is(pg_temp.all_try('insert into public.measurements (player_id, kind, value, source) values (''{me}'', ''bat_speed'', 60, ''event'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody says of themselves that it was at an event');
select is(pg_temp.all_try('update public.measurements set verified_by = ''{me}'', verified_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody verifies by writing');
select is(pg_temp.all_try('update public.measurements set value = 70'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or changes a number afterwards');
select is(pg_temp.all_try('insert into public.players (user_id) values (''{me}'')'),
  '  -   x   x   -   x   x   x   1   1   1   1   1   -', 'who makes a player''s page: whoever has none');
select is(pg_temp.all_try('update public.players set hometown = ''X'''),
  '  -   1   1   0   1   1   1   0   0   0   1   0   0', 'whose pages they change');
select is(pg_temp.all_try('delete from public.players'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'pages go with the account');
select is(pg_temp.all_try('update public.coaches set bio = ''X'''),
  '  -   0   0   0   0   0   0   1   0   0   0   0   0', 'coaches change their own page');
select is(pg_temp.all_try('update public.scouts set bio = ''X'''),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'scouts theirs');
select is(pg_temp.all_try('update public.scouts set verified_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'but do not verify themselves');
select is(pg_temp.all_try('update public.users set public_profile = true'),
  '  -   1   1   -   -   1   1   1   1   1   1   1   0', 'who switches their profile on: everybody from 13 on');
select is(pg_temp.all_try('update public.users set is_admin = true'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody makes admins');
select is(pg_temp.all_try('update public.users set role = ''scout'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or changes a role');
select is(pg_temp.all_try('update public.profiles set full_name = ''X'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'profiles are not written');
select is(pg_temp.all_try('select shown_from from public.profiles'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'and do not tell since when they are shown');
select is(pg_temp.all_try('insert into public.birth_dates (user_id, birth_date) values (''{me}'', ''1990-01-01'')'),
  '  -   x   x   x   -   1   x   x   x   x   x   x   -', 'who answers with a birth date: whoever did not and has no guardian');
select is(pg_temp.all_try('update public.birth_dates set birth_date = ''1990-01-01'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'and nobody twice');
select is(pg_temp.all_try('insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id(''kid''), ''{me}'', ''x@example.com'', ''accepted'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody becomes a guardian by writing');
select is(pg_temp.all_try('update public.guardianships set status = ''revoked'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or gets rid of one');
select is(pg_temp.all_try('insert into public.suspensions (user_id, reason) values (pg_temp.id(''ann''), ''A reason'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody suspends by writing');
select is(pg_temp.all_try('update public.suspensions set lifted_at = now()'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or lifts a suspension');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (''{me}'', pg_temp.id(''tim''))'),
  '  -   1   x   -   1   1   1   1   1   1   1   1   -', 'who follows tim: everybody but himself and a child without a guardian');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (''{me}'', pg_temp.id(''pri''))'),
  '  -   -   -   -   -   -   x   1   -   -   -   1   -', 'who follows pri: whoever sees her');
select is(pg_temp.all_try('insert into public.follows (follower_id, followed_id) values (pg_temp.id(''fay''), pg_temp.id(''tim''))'),
  '  -   -   -   -   -   -   -   -   -   1   -   -   -', 'for fay only fay does');
select is(pg_temp.all_try('delete from public.follows'),
  '  -   0   1   1   1   1   1   1   1   1   1   1   0', 'everybody unfollows for themselves');
select is(pg_temp.all_try('insert into public.watchlists (owner_id, name) values (''{me}'', ''Other'')'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'who makes a list');
select is(pg_temp.all_try('insert into public.watchlist_players (watchlist_id, player_id) select id, pg_temp.id(''kid'') from public.watchlists'),
  '  -   -   -   1   -   -   -   -   -   -   -   1   0', 'who puts kid on it: whoever sees the profile');
select is(pg_temp.all_try('delete from public.watchlists'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   0', 'lists are their owners''');
select is(pg_temp.all_try('insert into public.scout_notes (scout_id, player_id) values (''{me}'', pg_temp.id(''tim''))'),
  '  -   x   x   x   x   x   x   x   1   x   x   x   -', 'scouts write notes');
select is(pg_temp.all_try('insert into public.scout_notes (scout_id, player_id) values (''{me}'', pg_temp.id(''pri''))'),
  '  -   -   -   -   -   -   x   x   -   -   -   x   -', 'about whom they may see');
select is(pg_temp.all_try('delete from public.scout_notes'),
  '  -   0   0   0   0   0   0   0   1   0   0   0   0', 'and throw them away');
select is(pg_temp.all_try('insert into public.notification_preferences (user_id, topic, channel, enabled) values (''{me}'', ''team'', ''app'', false)'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'who sets what to be told');
select is(pg_temp.all_try('insert into public.notification_preferences (user_id, topic, channel, enabled) values (''{me}'', ''security'', ''email'', false)'),
  '  -   x   x   x   x   x   x   x   x   x   x   x   -', 'but not without security');
select is(pg_temp.all_try('insert into public.leagues (name, level) values (''Other'', ''14U'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   1   -', 'admins make leagues');
select is(pg_temp.all_try('update public.leagues set active = false'),
  '  -   0   0   0   0   0   0   0   0   0   0   1   0', 'and close them');
select is(pg_temp.all_try('insert into public.teams (name) values (''Other'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'teams come by a function');
select is(pg_temp.all_try('update public.teams set name = ''Other'''),
  '  -   0   0   0   0   0   0   1   0   0   0   1   0', 'their coaches and admins rename them');
select is(pg_temp.all_try('insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id(''tea''), ''{me}'', ''coach'', ''active'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody joins a team by writing');
select is(pg_temp.all_try('update public.team_members set status = ''active'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or lets anybody in');
select is(pg_temp.all_try('delete from public.team_members'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or out');
select is(pg_temp.all_try('insert into public.memberships (user_id, tier) values (''{me}'', ''ELITE'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'no membership is written');
select is(pg_temp.all_try('update public.memberships set tier = ''ELITE'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or raised');
select is(pg_temp.all_try('update public.pricing_tiers set price_monthly = 0'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody sets prices');
select is(pg_temp.all_try('insert into public.contact_messages (name, email, message) values (''G'', ''g@example.com'', ''Hi'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'messages come by a function');
select is(pg_temp.all_try('insert into public.reports (subject_kind, reason) values (''other'', ''other'')'),
  '  -   1   1   1   1   1   1   1   1   1   1   1   -', 'users report');
select is(pg_temp.all_try('update public.reports set status = ''resolved'''),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'and do not resolve');
select is(pg_temp.all_try('insert into public.audit_log (action) values (''tested'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'nobody writes the audit log');
select is(pg_temp.all_try('delete from public.audit_log'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or clears it');
select is(pg_temp.all_try('insert into public.token_ledger (user_id, amount, reason) values (''{me}'', 1000, ''gift'')'),
  '  -   -   -   -   -   -   -   -   -   -   -   -   -', 'or the ledger');

select * from finish();
rollback;

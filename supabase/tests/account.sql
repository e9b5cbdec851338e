-- What users do with their own account, which of it needs a recent sign-in, and what remains open to suspended users.
begin;
select plan(46);
delete from auth.users;
delete from public.audit_log;

insert into auth.users (id, email, raw_user_meta_data) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', '{"full_name": "Ann", "role": "player", "membership_tier": "elite"}'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', '{"role": "coach", "league": " East ", "team_name": "Owls", "years_coaching": 12, "years_current_team": "3", "months_current_team": 99, "months_current_league": -1, "years_current_league": "many", "membership_tier": "PLATINUM", "display_badges": false}'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com', '{"role": "scout"}');
insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at, not_after) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-00000000000a', 'aal1', 'Mozilla/5.0', '192.0.2.1', now() - interval '2 minutes', now(), null),
  ('00000000-0000-4000-8000-0000000000a2', '00000000-0000-4000-8000-00000000000a', 'aal1', 'curl', '192.0.2.2', now() - interval '2 hours', now() - interval '1 hour', null),
  ('00000000-0000-4000-8000-0000000000a3', '00000000-0000-4000-8000-00000000000a', 'aal1', 'gone', null, now() - interval '2 days', now() - interval '2 days', now() - interval '1 day'),
  ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-00000000000b', 'aal1', 'Bob', null, now(), now(), null);

-- The initial row of a role.
select results_eq(
  $$select league, team_name, years_coaching, years_current_league, months_current_league, years_current_team, months_current_team, display_badges from public.coaches$$,
  $$values ('East', 'Owls', 12, 0, 0, 3, 11, false)$$, 'a coach''s row has the valid values of the sign-up form');
select results_eq('select user_id from public.players', $$values ('00000000-0000-4000-8000-00000000000a'::uuid)$$, 'a player''s row is created empty');
select results_eq('select verified_at from public.scouts', 'values (null::timestamptz)', 'a scout''s row is created unverified');
select results_eq(
  $$select u.email, m.tier, m.wanted_tier from public.memberships as m join public.users as u on u.id = m.user_id order by 1$$,
  $$values ('ann@example.com', 'BASIC', 'ELITE'), ('bob@example.com', 'BASIC', null), ('cyd@example.com', 'BASIC', null)$$,
  'new members are BASIC, and the tier they chose is stored as wanted');
select results_eq('select id, price_monthly from public.pricing_tiers order by "position" limit 1', $$values ('BASIC', 0::numeric)$$, 'BASIC is free');
select results_eq('select id, features, coming_soon from public.pricing_tiers order by "position"',
  $$values
    ('BASIC', array['Player, coach or scout profile', 'Measurements with their source', 'Season lines and percentiles',
      'Rankings and leaderboards', 'Team schedule and roster', 'Recruiting board with fit by program'], array['Team messages']),
    ('PRO', array['Everything in Basic'], array['AI personal coach', 'Predictive analytics', 'Training plans with workload']),
    ('ELITE', array['Everything in Pro'], array['Swing analysis with sharing', 'Priority verification at camps'])$$,
  'a plan lists what exists as its features, and only the rest as coming soon (issue 10, C10)');
update public.users set role = 'coach', user_type = 'coach' where email = 'cyd@example.com';
select is((select count(*) from public.coaches), 2::bigint, 'a change of role creates the row of the new role');

create function pg_temp.act(session text) returns void
language sql
as $$
  select set_config('role', 'authenticated', true), set_config('request.jwt.claims', jsonb_build_object(
    'sub', '00000000-0000-4000-8000-00000000000' || left(session, 1), 'role', 'authenticated',
    'session_id', '00000000-0000-4000-8000-0000000000' || session)::text, true)
$$;

-- Recent sign-ins.
select pg_temp.act('a1');
select is(public.is_sign_in_recent(), true, 'a sign-in two minutes ago is recent');
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), false, 'a sign-in two hours ago is not recent, even if the token was refreshed');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a1')$$, '28000', 'For this, sign in again first.', 'without a recent sign-in sessions cannot be ended');
select throws_ok('select public.export_my_data()', '28000', null, 'without a recent sign-in data cannot be exported');
select throws_ok('select public.delete_account()', '28000', null, 'without a recent sign-in the account cannot be deleted');
reset role;
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-4000-8000-0000000000a2', 'totp', now() - interval '2 hours', now() - interval '9 minutes');
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), true, 'a second factor nine minutes ago is recent');
reset role;
update auth.mfa_amr_claims set updated_at = now() - interval '11 minutes';
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), false, 'a second factor eleven minutes ago is not recent');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated", "session_id": "00000000-0000-4000-8000-0000000000a1"}', true);
select is(public.is_sign_in_recent(), false, 'another user''s session is never recent');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated"}', true);
select is(public.is_sign_in_recent(), false, 'a token without a session is never recent');

-- Sessions.
select pg_temp.act('a1');
select results_eq(
  'select user_agent, ip, is_current from public.my_sessions()',
  $$values ('Mozilla/5.0', '192.0.2.1', true), ('curl', '192.0.2.2', false)$$, 'users see their live sessions, the newest first');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000b1')$$, 'PT404', null, 'users cannot end other users'' sessions');
select lives_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$, 'users can end their other sessions');
select results_eq('select user_agent from public.my_sessions()', $$values ('Mozilla/5.0')$$, 'an ended session is no longer listed');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$, 'PT404', null, 'an ended session cannot be ended again');

-- Export.
select lives_ok($$insert into public.measurements (player_id, kind, value, source) values ('00000000-0000-4000-8000-00000000000a', 'bat_speed', 61, 'self')$$, 'Ann adds a measurement');
select is(public.export_my_data() #>> '{account,email}', 'ann@example.com', 'the export contains the account');
select is(jsonb_array_length(public.export_my_data() -> 'measurements'), 1, 'the export contains the measurements');
select is(public.export_my_data() #>> '{token_ledger,0,reason}', 'welcome_bonus', 'the export contains the token ledger');
select is(public.export_my_data()::text like '%bob@example.com%', false, 'the export contains nothing of other users');
create temporary table export_of_ann as select public.export_my_data() as everything;
reset role;
select is_empty(
  $$select name from (select e.name from private.exported as e union values ('account'), ('sessions'), ('identities'), ('second_factors'),
      ('watchlist_players'), ('referral_conversions'), ('guardian_of'), ('files'), ('exported_at')) as parts (name)
    where not exists (select from export_of_ann where everything ? name)$$,
  'the export has a key for each table');
-- Of tables that need more than a row in private.exported, the export says the name itself.
create function pg_temp.not_exported() returns setof text
language sql
as $$
  select distinct c.conrelid::regclass::text from pg_constraint as c
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confdeltype = 'c'
    and c.confrelid in ('public.users'::regclass, 'public.profiles'::regclass, 'public.players'::regclass, 'public.athletes'::regclass)
    and c.conrelid::regclass::text not in (select e.name from private.exported as e)
    and position('''' || c.conrelid::regclass::text || '''' in pg_get_functiondef('public.export_my_data(uuid)'::regprocedure)) = 0
$$;
select is_empty('select * from pg_temp.not_exported()', 'every table whose rows are deleted with an account, or are about a player, is exported');
create table public.forgotten (athlete_id uuid references public.athletes (id) on delete cascade);
select results_eq('select * from pg_temp.not_exported()', $$values ('forgotten')$$, 'the check notices another one');
drop table public.forgotten;
select is_empty(
  $$select e.name from private.exported as e
    where e.of_athlete <> exists (
      select from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.conrelid = ('public.' || e.name)::regclass and a.attname = e.owner
        and c.confrelid = 'public.athletes'::regclass)$$,
  'of_athlete says which columns name athletes');
insert into public.teams (id, name) values ('00000000-0000-4000-8000-0000000000f1', 'Owls');
insert into public.team_members (team_id, user_id, role, status, jersey)
values ('00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-00000000000a', 'player', 'active', '7');
insert into public.games (id, visitor_name, home_name, played_on) values ('00000000-0000-4000-8000-0000000000f2', 'Owls', 'Gulls', now());
insert into public.lineups (game_id, athlete_id, side, jersey)
select '00000000-0000-4000-8000-0000000000f2', athlete_id, 0, '17' from public.athlete_identities;
insert into public.birth_dates (user_id, birth_date) values ('00000000-0000-4000-8000-00000000000a', '2000-01-01');
insert into storage.objects (bucket_id, name, metadata)
values ('profile-photos', '00000000-0000-4000-8000-00000000000a/x/large.jpg', '{"size": 5, "mimetype": "image/jpeg"}');
select pg_temp.act('a1');
select is(public.export_my_data() #>> '{rosters,0,jersey}', '7', 'the export contains the rosters');
select is(public.export_my_data() #>> '{lineups,0,jersey}', '17', 'and lineups');
select is(public.export_my_data() #>> '{files,0,size}', '5', 'and the list of files');
select pg_temp.act('b1');
select is(jsonb_array_length(public.export_my_data() -> 'rosters') + jsonb_array_length(public.export_my_data() -> 'files'), 0, 'of nobody else');
select pg_temp.act('a1');
select throws_ok($$select public.export_my_data('00000000-0000-4000-8000-00000000000b')$$, '42501', null, 'users cannot export other users'' data');
select throws_ok($$select public.delete_account('00000000-0000-4000-8000-00000000000b')$$, '42501', null, 'users cannot delete other users');

-- Suspended users.
reset role;
insert into public.suspensions (user_id, reason) values ('00000000-0000-4000-8000-00000000000a', 'Three warnings');
select pg_temp.act('a1');
select results_eq('select reason from public.suspensions', $$values ('Three warnings')$$, 'a suspended user can read the reason');
select is(public.profile_visibility(), 'suspended', 'profile_visibility() reports the suspension');
select results_eq('select role from public.users', $$values ('player')$$, 'a suspended user can read their own row');
select throws_ok($$select public.invite_guardian('x@example.com')$$, '42501', 'Your account is suspended.', 'a suspended user cannot invite a guardian');
select is(public.export_my_data() #>> '{suspensions,0,reason}', 'Three warnings', 'a suspended user can export their own data');
select lives_ok($$select public.send_contact_message('Ann', 'ann@example.com', 'Why?', 'I object.')$$, 'a suspended user can send a message');
select lives_ok('select public.delete_account()', 'a suspended user can delete the account');
reset role;
select is_empty($$select from auth.users where email = 'ann@example.com'$$, 'the account is deleted');
select is_empty($$select from public.measurements$$, 'the account''s rows are deleted');
select results_eq(
  $$select action, subject_id from public.audit_log where action = 'account_deleted'$$,
  $$values ('account_deleted', '00000000-0000-4000-8000-00000000000a')$$, 'the deletion is logged');

select * from finish();
rollback;

-- What users do with their own account, which of it needs a recent sign-in, and what remains open to suspended users.
begin;
select plan(39);
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
select is((select count(*) from jsonb_object_keys(public.export_my_data())), 45::bigint, 'the export has a key for each table');
reset role;
select is_empty(
  $$select c.conrelid::regclass from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confdeltype = 'c' and c.confrelid in ('public.users'::regclass, 'public.profiles'::regclass, 'public.players'::regclass)
      and position('''' || substr(c.conrelid::regclass::text, 1) || '''' in pg_get_functiondef('public.export_my_data(uuid)'::regprocedure)) = 0$$,
  'every table whose rows are deleted with an account is exported');
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

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
  $$values ('East', 'Owls', 12, 0, 0, 3, 11, false)$$, 'a coach begins with what the form said, as far as it is one');
select results_eq('select user_id from public.players', $$values ('00000000-0000-4000-8000-00000000000a'::uuid)$$, 'a player with an empty page');
select results_eq('select verified_at from public.scouts', 'values (null::timestamptz)', 'a scout unverified');
select results_eq(
  $$select u.email, m.tier, m.wanted_tier from public.memberships as m join public.users as u on u.id = m.user_id order by 1$$,
  $$values ('ann@example.com', 'BASIC', 'ELITE'), ('bob@example.com', 'BASIC', null), ('cyd@example.com', 'BASIC', null)$$,
  'everybody is BASIC, what they chose is a wish');
select results_eq('select id, price_monthly from public.pricing_tiers order by "position" limit 1', $$values ('BASIC', 0::numeric)$$, 'which costs nothing');
update public.users set role = 'coach', user_type = 'coach' where email = 'cyd@example.com';
select is((select count(*) from public.coaches), 2::bigint, 'a new role brings its page');

create function pg_temp.act(session text) returns void
language sql
as $$
  select set_config('role', 'authenticated', true), set_config('request.jwt.claims', jsonb_build_object(
    'sub', '00000000-0000-4000-8000-00000000000' || left(session, 1), 'role', 'authenticated',
    'session_id', '00000000-0000-4000-8000-0000000000' || session)::text, true)
$$;

-- Recent sign-ins.
select pg_temp.act('a1');
select is(public.is_sign_in_recent(), true, 'two minutes are recent');
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), false, 'two hours are not, although the token was renewed since');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a1')$$, '28000', 'For this, sign in again first.', 'so it signs nobody out');
select throws_ok('select public.export_my_data()', '28000', null, 'hands nothing out');
select throws_ok('select public.delete_account()', '28000', null, 'and deletes nothing');
reset role;
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-4000-8000-0000000000a2', 'totp', now() - interval '2 hours', now() - interval '9 minutes');
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), true, 'a second factor nine minutes ago is');
reset role;
update auth.mfa_amr_claims set updated_at = now() - interval '11 minutes';
select pg_temp.act('a2');
select is(public.is_sign_in_recent(), false, 'eleven minutes ago is not');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated", "session_id": "00000000-0000-4000-8000-0000000000a1"}', true);
select is(public.is_sign_in_recent(), false, 'and never by the session of another');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated"}', true);
select is(public.is_sign_in_recent(), false, 'or by none');

-- Sessions.
select pg_temp.act('a1');
select results_eq(
  'select user_agent, ip, is_current from public.my_sessions()',
  $$values ('Mozilla/5.0', '192.0.2.1', true), ('curl', '192.0.2.2', false)$$, 'Ann sees her sessions, the newest first, without those that ended');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000b1')$$, 'PT404', null, 'she does not end Bob''s');
select lives_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$, 'she ends the other one');
select results_eq('select user_agent from public.my_sessions()', $$values ('Mozilla/5.0')$$, 'which is gone');
select throws_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$, 'PT404', null, 'once');

-- Export.
select lives_ok($$insert into public.measurements (player_id, kind, value, source) values ('00000000-0000-4000-8000-00000000000a', 'bat_speed', 61, 'self')$$, 'Ann leaves something');
select is(public.export_my_data() #>> '{account,email}', 'ann@example.com', 'the export has the account');
select is(jsonb_array_length(public.export_my_data() -> 'measurements'), 1, 'her measurements');
select is(public.export_my_data() #>> '{token_ledger,0,reason}', 'welcome_bonus', 'her ledger');
select is(public.export_my_data()::text like '%bob@example.com%', false, 'and nothing of Bob');
select is((select count(*) from jsonb_object_keys(public.export_my_data())), 37::bigint, 'table by table');
reset role;
select is_empty(
  $$select c.conrelid::regclass from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confdeltype = 'c' and c.confrelid in ('public.users'::regclass, 'public.profiles'::regclass, 'public.players'::regclass)
      and position('''' || substr(c.conrelid::regclass::text, 1) || '''' in pg_get_functiondef('public.export_my_data(uuid)'::regprocedure)) = 0$$,
  'every table that goes with an account is in it');
select pg_temp.act('a1');
select throws_ok($$select public.export_my_data('00000000-0000-4000-8000-00000000000b')$$, '42501', null, 'she does not take Bob''s along');
select throws_ok($$select public.delete_account('00000000-0000-4000-8000-00000000000b')$$, '42501', null, 'or delete him');

-- Suspended users.
reset role;
insert into public.suspensions (user_id, reason) values ('00000000-0000-4000-8000-00000000000a', 'Three warnings');
select pg_temp.act('a1');
select results_eq('select reason from public.suspensions', $$values ('Three warnings')$$, 'a suspended user reads why');
select is(public.profile_visibility(), 'suspended', 'and that it is so');
select results_eq('select role from public.users', $$values ('player')$$, 'is still somebody');
select throws_ok($$select public.invite_guardian('x@example.com')$$, '42501', 'Your account is suspended.', 'but does nothing');
select is(public.export_my_data() #>> '{suspensions,0,reason}', 'Three warnings', 'takes the data along');
select lives_ok($$select public.send_contact_message('Ann', 'ann@example.com', 'Why?', 'I object.')$$, 'objects');
select lives_ok('select public.delete_account()', 'and leaves');
reset role;
select is_empty($$select from auth.users where email = 'ann@example.com'$$, 'the account is gone');
select is_empty($$select from public.measurements$$, 'with everything');
select results_eq(
  $$select action, subject_id from public.audit_log where action = 'account_deleted'$$,
  $$values ('account_deleted', '00000000-0000-4000-8000-00000000000a')$$, 'but for a line in the log');

select * from finish();
rollback;

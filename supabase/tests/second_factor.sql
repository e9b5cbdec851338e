-- What a second factor protects, and that admins need one.
begin;
select plan(34);
delete from auth.users;

-- ann has a factor, bob none; cyd is an admin.
insert into auth.users (id, email, raw_user_meta_data) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', '{"full_name": "Ann"}'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', '{"full_name": "Bob"}'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com', '{"full_name": "Cyd"}');
update public.users set is_admin = true where full_name = 'Cyd';
insert into auth.sessions (id, user_id, aal, created_at, updated_at)
select ('00000000-0000-4000-8000-0000000000' || right(id::text, 1) || '1')::uuid, id, 'aal1', now(), now() from auth.users;
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values
  ('00000000-0000-4000-8000-0000000000a2', '00000000-0000-4000-8000-00000000000a', 'aal1', now(), now()),
  ('00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-00000000000b', 'aal1', now(), now());

create function pg_temp.act(who text, aal text, more jsonb default '{}') returns void
language sql
as $$
  select set_config('role', 'authenticated', true), set_config('request.jwt.claims', (jsonb_build_object(
    'sub', '00000000-0000-4000-8000-00000000000' || who, 'role', 'authenticated', 'aal', aal,
    'session_id', '00000000-0000-4000-8000-0000000000' || who || '1') || more)::text, true)
$$;
create function pg_temp.enrol(who text, status text) returns void
language sql security definer
as $$
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), id, 'totp', enrol.status::auth.factor_status, now(), now() from public.users where full_name = who
$$;

-- A user without a factor, and with one whose enrolment was not completed.
select pg_temp.act('b', 'aal1');
select lives_ok('select public.export_my_data()', 'without a factor a recent sign-in is sufficient');
select pg_temp.enrol('Bob', 'unverified');
select lives_ok('select public.export_my_data()', 'an unverified factor changes nothing');

-- With a factor.
select pg_temp.enrol('Ann', 'verified');
select pg_temp.act('a', 'aal1');
select throws_ok(call, 'PT403', 'Enter the code of your second factor first.', call || ' needs the second factor')
from unnest(array[
  'select public.export_my_data()', 'select public.delete_account()',
  $$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$]) as call;
select throws_ok(call, 'PT403', 'Enter the code of your second factor first.', call || ' needs the guardian''s second factor')
from unnest(array['select public.correct_birth_date(gen_random_uuid(), current_date)', 'select public.set_ward_visibility(gen_random_uuid(), true)',
  'select public.revoke_guardianship(gen_random_uuid())', 'select public.answer_invitation(gen_random_uuid(), true)', 'select public.accept_member(gen_random_uuid(), gen_random_uuid())']) as call;
select pg_temp.act('a', null);
select throws_ok('select public.export_my_data()', 'PT403', null, 'a token without a level is not aal2');
select pg_temp.act('a', 'aal2', '{"client_id": "00000000-0000-4000-8000-0000000000dd"}');
select throws_ok('select public.export_my_data()', 'PT403', null, 'a token of another app is not aal2');
select pg_temp.act('a', 'aal2');
select lives_ok('select public.export_my_data()', 'at aal2 data can be exported');
select lives_ok($$select public.sign_out_session('00000000-0000-4000-8000-0000000000a2')$$, 'at aal2 other sessions can be ended');
select lives_ok('select public.delete_account()', 'at aal2 the account can be deleted');

-- Admins.
select pg_temp.act('c', 'aal1');
select throws_ok('select public.admin_totals()', 'PT403', 'Admins need a second factor.', 'an admin without a factor is asked to add one');
select pg_temp.act('c', 'aal2');
select throws_ok('select public.admin_totals()', 'PT403', 'Admins need a second factor.', 'aal2 in the token does not replace a factor');
select is((select count(*) from public.users), 1::bigint, 'such an admin cannot read other users');
select results_eq('select is_admin from public.users', 'values (true)', 'such an admin sees their own admin flag');
select is_empty('select from public.audit_log', 'such an admin cannot read the log');
select pg_temp.enrol('Cyd', 'verified');
select pg_temp.act('c', 'aal1');
select throws_ok(call, 'PT403', 'Enter the code of your second factor first.', call || ' needs an admin''s second factor')
from unnest(array['select public.admin_totals()', 'select public.admin_activity()', 'select public.admin_devices()',
  $$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000b', 'because')$$,
  $$select public.admin_verify_coach('00000000-0000-4000-8000-00000000000b', true)$$,
  $$select public.admin_adjust_tokens('00000000-0000-4000-8000-00000000000b', 10, 'because')$$]) as call;
select is((select count(*) from public.users), 1::bigint, 'row level security also requires aal2');
select pg_temp.act('c', 'aal2', '{"client_id": "00000000-0000-4000-8000-0000000000dd"}');
select is_empty('select from public.audit_log', 'row level security refuses tokens of other apps');
select pg_temp.act('c', 'aal2');
select lives_ok('select public.admin_totals()', 'at aal2 an admin can call admin functions');
select is((select count(*) from public.users), 2::bigint, 'at aal2 an admin can read all users');
select pg_temp.act('b', 'aal2');
select throws_ok('select public.admin_totals()', '42501', 'Only admins may do this.', 'other users are not admins at any level');

-- Every admin function requires it.
reset role;
select is_empty(
  $$select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and proname like 'admin\_%'
    and pg_get_functiondef(oid) !~ 'private\.admin_caller\(\)'$$, 'every admin function checks for an admin');
select is_empty(
  $$select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
    and proname in ('export_my_data', 'delete_account', 'sign_out_session') and pg_get_functiondef(oid) !~ 'private\.(recent_caller|account_of)\('$$,
  'every irreversible function checks for a recent sign-in');
select is_empty(
  $$select name from unnest(array['is_admin', 'admin_caller', 'recent_caller']) as name
    where pg_get_functiondef(('private.' || name || '()')::regprocedure) !~ 'second_factor\(\)'$$, 'the checks for a recent sign-in include the second factor');

select * from finish();
rollback;

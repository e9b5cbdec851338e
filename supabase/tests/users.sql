-- Accounts become users; a user reads one row and may change little of it.
begin;
select plan(60);

-- Hides the data of a developer's database until the rollback.
delete from auth.users;

-- As the auth service inserts them, with arbitrary metadata from visitors.
insert into auth.users (id, email, raw_user_meta_data, created_at) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', '{"full_name": "Ann Arbor", "role": "player", "public_profile": true}', '2024-05-06 07:08:09Z'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', '{"full_name": "  Bob  ", "role": "coach", "public_profile": false}', now()),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com', '{"role": "admin", "is_admin": true, "referral_tokens": 9999}', now()),
  ('00000000-0000-4000-8000-00000000000d', null, null, null),
  ('00000000-0000-4000-8000-00000000000e', 'eve@example.com', '["an", "array"]', now()),
  ('00000000-0000-4000-8000-00000000000f', 'flo@example.com', jsonb_build_object('full_name', repeat('ü', 5000), 'role', '["player"]'::jsonb, 'public_profile', 'false'), now()),
  ('00000000-0000-4000-8000-000000000010', 'gus@example.com', '{"name": "Gus by OAuth", "role": "Scout"}', now());

-- The profile that the trigger creates.
select results_eq(
  $$select email, full_name, role, user_type, is_admin, public_profile, created_at from public.users where id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values ('ann@example.com', 'Ann Arbor', 'player', 'player', false, true, '2024-05-06 07:08:09Z'::timestamptz)$$,
  'the row has the values of the metadata');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000b'$$,
  $$values ('Bob', 'coach', false)$$, 'names are trimmed, and the profile can be private');
select results_eq(
  $$select full_name, role, user_type, is_admin, referral_tokens from public.users where id = '00000000-0000-4000-8000-00000000000c'$$,
  $$values ('', 'fan', 'fan', false, 150)$$, 'metadata cannot set admin rights, role admin or tokens');
select results_eq(
  $$select email, full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000d'$$,
  $$values (null::text, '', 'fan', true)$$, 'an account without address and metadata gets a row');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000e'$$,
  $$values ('', 'fan', true)$$, 'metadata that are not an object are ignored');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000f'$$,
  $$values (repeat('ü', 200), 'fan', false)$$, 'a long name is cut, and an invalid role becomes fan');
select results_eq(
  $$select full_name, role from public.users where id = '00000000-0000-4000-8000-000000000010'$$,
  $$values ('Gus by OAuth', 'fan')$$, 'the name of an OAuth provider is used, and roles are case-sensitive');

-- The welcome bonus and the code.
select results_eq(
  $$select referral_tokens, bonus_tokens_awarded from public.users where id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values (150, true)$$, 'new users get the welcome bonus');
select results_eq(
  $$select amount, reason from public.token_ledger where user_id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values (150, 'welcome_bonus')$$, 'the bonus is a line of the ledger');
select is((select count(*) from public.referral_codes where owner_id is not null), 7::bigint, 'each user has a referral code');
select is((select count(*) from public.referral_codes where owner_id is not null and code ~ '^[0-9A-F]{8}$'), 7::bigint, 'a referral code has eight hexadecimal digits');
select lives_ok(
  $$select private.create_profile(account), private.create_referral_code(account.id) from auth.users as account$$,
  'creating profiles again is no error');
select results_eq(
  $$select count(*), sum(referral_tokens) from public.users$$,
  $$select 7::bigint, 7 * 150::bigint$$, 'it gives no second bonus');
select is((select count(*) from public.referral_codes where owner_id is not null), 7::bigint, 'it creates no second code');

-- The address follows the account.
update auth.users set email = 'ann@example.org' where id = '00000000-0000-4000-8000-00000000000a';
select is((select email from public.users where id = '00000000-0000-4000-8000-00000000000a'), 'ann@example.org', 'a change of the account''s address changes the row');
update auth.users set email = null where id = '00000000-0000-4000-8000-00000000000a';
select is((select email from public.users where id = '00000000-0000-4000-8000-00000000000a'), null, 'removing the account''s address changes the row');
update auth.users set email = 'ann@example.com' where id = '00000000-0000-4000-8000-00000000000a';

-- A signed-in user.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated", "email": "ann@example.com"}';

select results_eq('select id from public.users', $$values ('00000000-0000-4000-8000-00000000000a'::uuid)$$, 'users can read their own row only');
select is_empty($$select from public.users where id = '00000000-0000-4000-8000-00000000000b'$$, 'users cannot read others by id');
select is_empty($$select from public.users where email = 'bob@example.com'$$, 'users cannot read others by address');
select is(private.is_admin(), false, 'Ann is not an admin');

select lives_ok(
  $$insert into public.users (id, email, full_name, role, user_type, public_profile)
    values ('00000000-0000-4000-8000-00000000000a', 'Ann@Example.com', 'Ann Again', 'scout', 'scout', false)
    on conflict (id) do nothing$$,
  'the page can repeat the insert');
select results_eq('select full_name, role, referral_tokens from public.users', $$values ('Ann Arbor', 'player', 150)$$, 'the repeated insert changes nothing');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000b', 'ann@example.com', 'player', 'player') on conflict (id) do nothing$$,
  '42501', null, 'users cannot insert a row for others');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'bob@example.com', 'player', 'player') on conflict (id) do nothing$$,
  '42501', null, 'users cannot insert another address');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', 'admin', 'player') on conflict (id) do nothing$$,
  '23514', null, 'users cannot insert the role admin');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', 'player', 'admin') on conflict (id) do nothing$$,
  '23514', null, 'users cannot insert the type admin');
select throws_ok(
  $$insert into public.users (id, is_admin) values ('00000000-0000-4000-8000-00000000000a', true) on conflict (id) do nothing$$,
  '42501', null, 'users cannot insert admin rights');
select throws_ok(
  $$insert into public.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com') on conflict (id) do update set email = excluded.email$$,
  '42501', null, 'an upsert cannot change columns that users may not update');
select throws_ok(
  $$insert into public.users (id, referral_tokens) values ('00000000-0000-4000-8000-00000000000a', 1000) on conflict (id) do nothing$$,
  '42501', null, 'users cannot insert tokens');

select lives_ok($$update public.users set full_name = 'Ann B. Arbor', public_profile = false$$, 'users can update name and visibility');
select results_eq('select full_name, public_profile from public.users', $$values ('Ann B. Arbor', false)$$, 'their own row is updated');
select throws_ok('update public.users set is_admin = true', '42501', null, 'users cannot set admin rights');
select throws_ok('update public.users set referral_tokens = 1000', '42501', null, 'users cannot set tokens');
select throws_ok('update public.users set bonus_tokens_awarded = false', '42501', null, 'users cannot reset the bonus');
select throws_ok($$update public.users set role = 'coach'$$, '42501', null, 'users cannot change their role');
select throws_ok($$update public.users set user_type = 'coach'$$, '42501', null, 'users cannot change their type');
select throws_ok($$update public.users set email = 'bob@example.com'$$, '42501', null, 'users cannot change their address');
select throws_ok($$update public.users set id = '00000000-0000-4000-8000-0000000000ff'$$, '42501', null, 'users cannot change their id');
select throws_ok($$update public.users set created_at = now()$$, '42501', null, 'users cannot change the time of creation');
select throws_ok($$update public.users set full_name = repeat('x', 201)$$, '23514', null, 'a name has at most 200 characters');
select throws_ok('delete from public.users', '42501', null, 'users cannot delete their row');
update public.users set full_name = 'Taken over' where id = '00000000-0000-4000-8000-00000000000b';
reset role;
select is((select full_name from public.users where id = '00000000-0000-4000-8000-00000000000b'), 'Bob', 'other rows are not updated');

-- The insert takes effect where there is no row, as for an account older than the triggers.
delete from public.users where id = '00000000-0000-4000-8000-00000000000d';
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated", "email": "bob@example.com"}';
select throws_ok(
  $$insert into public.users (id, full_name) values ('00000000-0000-4000-8000-00000000000d', 'By Bob')$$,
  '42501', null, 'users cannot insert a missing row of others');
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000d", "role": "authenticated", "email": ""}';
insert into public.users (id, full_name, role, user_type, public_profile)
values ('00000000-0000-4000-8000-00000000000d', 'Dee', 'scout', 'scout', true) on conflict (id) do nothing;
select results_eq(
  'select email, full_name, role, is_admin, referral_tokens, bonus_tokens_awarded from public.users',
  $$values (null::text, 'Dee', 'scout', false, 150, true)$$, 'a row inserted by the page gets the bonus');
select is((select count(*) from public.referral_codes), 1::bigint, 'a row inserted by the page gets a code');

-- Without an account.
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok('select id from public.users', '42501', null, 'visitors cannot read users');
select throws_ok($$insert into public.users (id, role) values (gen_random_uuid(), 'fan')$$, '42501', null, 'visitors cannot insert users');
select throws_ok($$update public.users set full_name = ''$$, '42501', null, 'visitors cannot update users');
select throws_ok('select private.is_admin()', '42501', null, 'visitors cannot call functions in private');

-- An admin.
reset role;
update public.users set is_admin = true where id = '00000000-0000-4000-8000-00000000000c';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2", "email": "cyd@example.com"}';
select is((select count(*) from public.users), 7::bigint, 'admins can read all users');
update public.users set full_name = 'By the admin' where id = '00000000-0000-4000-8000-00000000000b';
reset role;
select is((select full_name from public.users where id = '00000000-0000-4000-8000-00000000000b'), 'Bob', 'admins cannot update other users');

-- A token of another app.
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated", "client_id": "00000000-0000-4000-8000-0000000000dd"}', true),
  set_config('role', 'authenticated', true);
select is_empty('select from public.users', 'another app''s token reads no users');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values ('00000000-0000-4000-8000-00000000000a', '1990-01-01')$$, '42501', null, 'another app''s token cannot write');
select throws_ok($$select public.invite_guardian('x@example.com')$$, '42501', 'This app may only know who you are.', 'another app''s token cannot call functions');
select is_empty('select from public.my_sessions()', 'another app''s token lists no sessions');
select throws_ok('select public.profile_visibility()', '42501', null, 'another app''s token cannot read the visibility');
select throws_ok($$select public.send_contact_message('A', 'a@example.com', 'Hi', 'Hi')$$, '42501', null, 'another app''s token cannot send a message');
select throws_ok($$select public.increment_referral_conversions('CODE')$$, '42501', null, 'another app''s token cannot convert a referral');
reset role;

-- Deletion.
delete from auth.users where id = '00000000-0000-4000-8000-00000000000a';
select is_empty($$select from public.users where id = '00000000-0000-4000-8000-00000000000a'$$, 'the row is deleted with the account');
select is_empty($$select from public.token_ledger where user_id = '00000000-0000-4000-8000-00000000000a'$$, 'the ledger is deleted with the account');

select * from finish();
rollback;

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
  'a profile says what the metadata say');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000b'$$,
  $$values ('Bob', 'coach', false)$$, 'names are trimmed, a profile can be private from the start');
select results_eq(
  $$select full_name, role, user_type, is_admin, referral_tokens from public.users where id = '00000000-0000-4000-8000-00000000000c'$$,
  $$values ('', 'fan', 'fan', false, 150)$$, 'nobody signs up as an admin, or rich');
select results_eq(
  $$select email, full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000d'$$,
  $$values (null::text, '', 'fan', true)$$, 'an account without address and metadata has a profile');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000e'$$,
  $$values ('', 'fan', true)$$, 'metadata that are no object are as good as none');
select results_eq(
  $$select full_name, role, public_profile from public.users where id = '00000000-0000-4000-8000-00000000000f'$$,
  $$values (repeat('ü', 200), 'fan', false)$$, 'a name too long is cut, a role that is no string is a fan');
select results_eq(
  $$select full_name, role from public.users where id = '00000000-0000-4000-8000-000000000010'$$,
  $$values ('Gus by OAuth', 'fan')$$, 'providers call it name; roles are spelt in lower case');

-- The welcome bonus and the code.
select results_eq(
  $$select referral_tokens, bonus_tokens_awarded from public.users where id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values (150, true)$$, 'there is a welcome bonus');
select results_eq(
  $$select amount, reason from public.token_ledger where user_id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values (150, 'welcome_bonus')$$, 'as a line of the ledger');
select is((select count(*) from public.referral_codes where owner_id is not null), 7::bigint, 'each user has a referral code');
select is((select count(*) from public.referral_codes where owner_id is not null and code ~ '^[0-9A-F]{8}$'), 7::bigint, 'which is short');
select lives_ok(
  $$select private.create_profile(account), private.create_referral_code(account.id) from auth.users as account$$,
  'making profiles again is harmless');
select results_eq(
  $$select count(*), sum(referral_tokens) from public.users$$,
  $$select 7::bigint, 7 * 150::bigint$$, 'and gives no second bonus');
select is((select count(*) from public.referral_codes where owner_id is not null), 7::bigint, 'and no second code');

-- The address follows the account.
update auth.users set email = 'ann@example.org' where id = '00000000-0000-4000-8000-00000000000a';
select is((select email from public.users where id = '00000000-0000-4000-8000-00000000000a'), 'ann@example.org', 'a changed address changes in the profile');
update auth.users set email = null where id = '00000000-0000-4000-8000-00000000000a';
select is((select email from public.users where id = '00000000-0000-4000-8000-00000000000a'), null, 'a removed one is removed');
update auth.users set email = 'ann@example.com' where id = '00000000-0000-4000-8000-00000000000a';

-- A signed-in user.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated", "email": "ann@example.com"}';

select results_eq('select id from public.users', $$values ('00000000-0000-4000-8000-00000000000a'::uuid)$$, 'Ann reads her row and no other');
select is_empty($$select from public.users where id = '00000000-0000-4000-8000-00000000000b'$$, 'not even by its id');
select is_empty($$select from public.users where email = 'bob@example.com'$$, 'nor by its address');
select is(private.is_admin(), false, 'Ann is no admin');

select lives_ok(
  $$insert into public.users (id, email, full_name, role, user_type, public_profile)
    values ('00000000-0000-4000-8000-00000000000a', 'Ann@Example.com', 'Ann Again', 'scout', 'scout', false)
    on conflict (id) do nothing$$,
  'the page may repeat the insert');
select results_eq('select full_name, role, referral_tokens from public.users', $$values ('Ann Arbor', 'player', 150)$$, 'which changes nothing');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000b', 'ann@example.com', 'player', 'player') on conflict (id) do nothing$$,
  '42501', null, 'not for another user');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'bob@example.com', 'player', 'player') on conflict (id) do nothing$$,
  '42501', null, 'not with the address of another');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', 'admin', 'player') on conflict (id) do nothing$$,
  '23514', null, 'not as an admin by role');
select throws_ok(
  $$insert into public.users (id, email, role, user_type) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', 'player', 'admin') on conflict (id) do nothing$$,
  '23514', null, 'nor by type');
select throws_ok(
  $$insert into public.users (id, is_admin) values ('00000000-0000-4000-8000-00000000000a', true) on conflict (id) do nothing$$,
  '42501', null, 'nor by the column');
select throws_ok(
  $$insert into public.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com') on conflict (id) do update set email = excluded.email$$,
  '42501', null, 'an upsert that updates needs what Ann may not update');
select throws_ok(
  $$insert into public.users (id, referral_tokens) values ('00000000-0000-4000-8000-00000000000a', 1000) on conflict (id) do nothing$$,
  '42501', null, 'tokens are not for inserting');

select lives_ok($$update public.users set full_name = 'Ann B. Arbor', public_profile = false$$, 'Ann updates name and visibility');
select results_eq('select full_name, public_profile from public.users', $$values ('Ann B. Arbor', false)$$, 'of her own row');
select throws_ok('update public.users set is_admin = true', '42501', null, 'she does not make herself an admin');
select throws_ok('update public.users set referral_tokens = 1000', '42501', null, 'or rich');
select throws_ok('update public.users set bonus_tokens_awarded = false', '42501', null, 'or due another bonus');
select throws_ok($$update public.users set role = 'coach'$$, '42501', null, 'or a coach');
select throws_ok($$update public.users set user_type = 'coach'$$, '42501', null, 'of any type');
select throws_ok($$update public.users set email = 'bob@example.com'$$, '42501', null, 'or Bob');
select throws_ok($$update public.users set id = '00000000-0000-4000-8000-0000000000ff'$$, '42501', null, 'or anybody else');
select throws_ok($$update public.users set created_at = now()$$, '42501', null, 'or younger');
select throws_ok($$update public.users set full_name = repeat('x', 201)$$, '23514', null, 'a name has a limit');
select throws_ok('delete from public.users', '42501', null, 'and does not leave this way');
update public.users set full_name = 'Taken over' where id = '00000000-0000-4000-8000-00000000000b';
reset role;
select is((select full_name from public.users where id = '00000000-0000-4000-8000-00000000000b'), 'Bob', 'Bob''s row is as it was');

-- The insert takes effect where there is no row, as for an account older than the triggers.
delete from public.users where id = '00000000-0000-4000-8000-00000000000d';
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000b", "role": "authenticated", "email": "bob@example.com"}';
select throws_ok(
  $$insert into public.users (id, full_name) values ('00000000-0000-4000-8000-00000000000d', 'By Bob')$$,
  '42501', null, 'nobody makes the row of another');
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000d", "role": "authenticated", "email": ""}';
insert into public.users (id, full_name, role, user_type, public_profile)
values ('00000000-0000-4000-8000-00000000000d', 'Dee', 'scout', 'scout', true) on conflict (id) do nothing;
select results_eq(
  'select email, full_name, role, is_admin, referral_tokens, bonus_tokens_awarded from public.users',
  $$values (null::text, 'Dee', 'scout', false, 150, true)$$, 'a row that the page makes comes with the bonus');
select is((select count(*) from public.referral_codes), 1::bigint, 'and with a code');

-- Without an account.
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok('select id from public.users', '42501', null, 'visitors read nobody');
select throws_ok($$insert into public.users (id, role) values (gen_random_uuid(), 'fan')$$, '42501', null, 'insert nobody');
select throws_ok($$update public.users set full_name = ''$$, '42501', null, 'update nobody');
select throws_ok('select private.is_admin()', '42501', null, 'and have no business in private');

-- An admin.
reset role;
update public.users set is_admin = true where id = '00000000-0000-4000-8000-00000000000c';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2", "email": "cyd@example.com"}';
select is((select count(*) from public.users), 7::bigint, 'an admin reads all users');
update public.users set full_name = 'By the admin' where id = '00000000-0000-4000-8000-00000000000b';
reset role;
select is((select full_name from public.users where id = '00000000-0000-4000-8000-00000000000b'), 'Bob', 'and updates none but himself');

-- A token of another app.
select set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated", "client_id": "00000000-0000-4000-8000-0000000000dd"}', true),
  set_config('role', 'authenticated', true);
select is_empty('select from public.users', 'another app reads no profile with the user''s token');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values ('00000000-0000-4000-8000-00000000000a', '1990-01-01')$$, '42501', null, 'writes nothing');
select throws_ok($$select public.invite_guardian('x@example.com')$$, '42501', 'This app may only know who you are.', 'calls no function');
select is_empty('select from public.my_sessions()', 'and lists no sessions');
select throws_ok('select public.profile_visibility()', '42501', null, 'nor learns who may see the profile');
select throws_ok($$select public.send_contact_message('A', 'a@example.com', 'Hi', 'Hi')$$, '42501', null, 'nor writes to us');
select throws_ok($$select public.increment_referral_conversions('CODE')$$, '42501', null, 'nor counts a referral');
reset role;

-- Deletion.
delete from auth.users where id = '00000000-0000-4000-8000-00000000000a';
select is_empty($$select from public.users where id = '00000000-0000-4000-8000-00000000000a'$$, 'a deleted account takes its profile along');
select is_empty($$select from public.token_ledger where user_id = '00000000-0000-4000-8000-00000000000a'$$, 'and the profile its ledger');

select * from finish();
rollback;

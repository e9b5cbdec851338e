-- The token ledger: users read their lines and cannot write any.
begin;
select plan(18);

-- Hides the data of a developer's database until the rollback.
delete from auth.users;

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com');
update public.users set is_admin = true where email = 'cyd@example.com';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;

-- The balance is the sum.
insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 25, 'referral');
insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', -75, 'purchase');
select is((select referral_tokens from public.users where email = 'ann@example.com'), 100, 'the balance is the sum of the lines');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', -101, 'purchase')$$,
  '23514', null, 'a line that makes the balance negative is refused');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 150, 'welcome_bonus')$$,
  '23505', null, 'there is one welcome bonus per user');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 0, 'nothing')$$,
  '23514', null, 'an amount must not be zero');
update public.token_ledger set amount = -50 where reason = 'purchase';
select is((select referral_tokens from public.users where email = 'ann@example.com'), 125, 'changing a line changes the balance');
update public.token_ledger set user_id = '00000000-0000-4000-8000-00000000000b' where reason = 'referral';
select results_eq(
  $$select email, referral_tokens from public.users where not is_admin order by email$$,
  $$values ('ann@example.com', 100), ('bob@example.com', 175)$$, 'moving a line to another user changes both balances');
delete from public.token_ledger where reason = 'purchase';
select is((select referral_tokens from public.users where email = 'ann@example.com'), 150, 'deleting a line changes the balance');
select is_empty(
  $$select from public.users u
    where referral_tokens <> (select coalesce(sum(amount), 0) from public.token_ledger l where l.user_id = u.id)$$,
  'every balance is the sum of its lines');
select is((select bool_and(bonus_tokens_awarded) from public.users), true, 'all users have received the bonus');

-- A signed-in user.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';
select results_eq('select user_id, amount, reason from public.token_ledger',
  $$values ('00000000-0000-4000-8000-00000000000a'::uuid, 150, 'welcome_bonus')$$, 'users can read their own lines only');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 1000, 'gift')$$,
  '42501', null, 'users cannot add lines');
select throws_ok('update public.token_ledger set amount = 1000', '42501', null, 'users cannot change lines');
select throws_ok('delete from public.token_ledger', '42501', null, 'users cannot delete lines');

set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok('select id from public.token_ledger', '42501', null, 'visitors cannot read lines');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 1, 'gift')$$,
  '42501', null, 'visitors cannot add lines');

-- An admin.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2"}';
select is((select count(*) from public.token_ledger), 4::bigint, 'admins can read all lines');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000c', 1000, 'gift')$$,
  '42501', null, 'admins cannot add lines');

reset role;
delete from auth.users where email = 'bob@example.com';
select is((select count(*) from public.token_ledger), 2::bigint, 'lines are deleted with the account');

select * from finish();
rollback;

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
select is((select referral_tokens from public.users where email = 'ann@example.com'), 100, 'gains and expenses add up');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', -101, 'purchase')$$,
  '23514', null, 'nobody spends what he does not have');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 150, 'welcome_bonus')$$,
  '23505', null, 'there is one welcome');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 0, 'nothing')$$,
  '23514', null, 'nothing is no line');
update public.token_ledger set amount = -50 where reason = 'purchase';
select is((select referral_tokens from public.users where email = 'ann@example.com'), 125, 'a corrected line corrects the balance');
update public.token_ledger set user_id = '00000000-0000-4000-8000-00000000000b' where reason = 'referral';
select results_eq(
  $$select email, referral_tokens from public.users where not is_admin order by email$$,
  $$values ('ann@example.com', 100), ('bob@example.com', 175)$$, 'a line given to another is taken from the one');
delete from public.token_ledger where reason = 'purchase';
select is((select referral_tokens from public.users where email = 'ann@example.com'), 150, 'a removed line is undone');
select is_empty(
  $$select from public.users u
    where referral_tokens <> (select coalesce(sum(amount), 0) from public.token_ledger l where l.user_id = u.id)$$,
  'all balances are sums');
select is((select bool_and(bonus_tokens_awarded) from public.users), true, 'and all have had their bonus');

-- A signed-in user.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';
select results_eq('select user_id, amount, reason from public.token_ledger',
  $$values ('00000000-0000-4000-8000-00000000000a'::uuid, 150, 'welcome_bonus')$$, 'Ann reads her lines alone');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 1000, 'gift')$$,
  '42501', null, 'she gives herself nothing');
select throws_ok('update public.token_ledger set amount = 1000', '42501', null, 'changes nothing');
select throws_ok('delete from public.token_ledger', '42501', null, 'and removes nothing');

set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok('select id from public.token_ledger', '42501', null, 'visitors read no line');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000a', 1, 'gift')$$,
  '42501', null, 'and write none');

-- An admin.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2"}';
select is((select count(*) from public.token_ledger), 4::bigint, 'an admin reads all lines');
select throws_ok(
  $$insert into public.token_ledger (user_id, amount, reason) values ('00000000-0000-4000-8000-00000000000c', 1000, 'gift')$$,
  '42501', null, 'and writes none either');

reset role;
delete from auth.users where email = 'bob@example.com';
select is((select count(*) from public.token_ledger), 2::bigint, 'an account takes its lines along');

select * from finish();
rollback;

-- Clicks and sign-ups: anyone reports them, they count once, and only those concerned read them.
begin;
select plan(62);

-- Hides the data of a developer's database until the rollback.
delete from auth.users;
delete from public.referral_codes;
delete from public.referral_analytics;
delete from private.visit_salts;

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com');
update public.users set is_admin = true where email = 'cyd@example.com';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
update public.referral_codes set code = 'ANNS' where owner_id = '00000000-0000-4000-8000-00000000000a';
update public.referral_codes set code = 'BOBS' where owner_id = '00000000-0000-4000-8000-00000000000b';
insert into public.referral_codes (code, owner_id) values ('SPRING', null);

create function pg_temp.counts(wanted text) returns integer[]
language sql security definer
as $$ select array[clicks, conversions] from public.referral_codes where code = wanted $$;

-- Visitors report clicks.
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select lives_ok(
  $$insert into public.referral_analytics (referral_code, action, "timestamp", ip_address, user_agent)
    values ('SPRING', 'click', now(), 'unknown', 'Mozilla/5.0')$$, 'a visitor reports a click');
select lives_ok($$insert into public.referral_analytics (referral_code, action) values ('no such code', 'click')$$, 'of whatever code');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('SPRING', 'signup')$$, '42501', null, 'but no signup');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'signup', '00000000-0000-4000-8000-00000000000a')$$,
  '42501', null, 'not Ann''s either');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'click', '00000000-0000-4000-8000-00000000000a')$$,
  '23514', null, 'a click converts nobody');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('SPRING', 'purchase')$$, '42501', null, 'there are two actions');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('', 'click')$$, '23514', null, 'a code is not empty');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values (repeat('x', 65), 'click')$$, '23514', null, 'and at most 64 characters');
select lives_ok($$insert into public.referral_analytics (referral_code, action, user_agent, ip_address) values (repeat('x', 64), 'click', repeat('x', 1024), repeat('x', 64))$$, 'all limits can be reached');
select throws_ok($$insert into public.referral_analytics (referral_code, action, user_agent) values ('SPRING', 'click', repeat('x', 1025))$$, '23514', null, 'a browser''s name is at most 1024');
select throws_ok($$insert into public.referral_analytics (referral_code, action, ip_address) values ('SPRING', 'click', repeat('x', 65))$$, '23514', null, 'an address at most 64');
select throws_ok($$insert into public.referral_analytics (referral_code, action, "timestamp") values ('SPRING', 'click', now() + interval '2 days')$$, '42501', null, 'a click is not in the future');
select throws_ok('select id from public.referral_analytics', '42501', null, 'visitors read no reports');
select throws_ok($$update public.referral_analytics set action = 'click'$$, '42501', null, 'change none');
select throws_ok('delete from public.referral_analytics', '42501', null, 'delete none');
select throws_ok('select code from public.referral_codes', '42501', null, 'read no codes');
select throws_ok($$insert into public.referral_codes (code) values ('MINE')$$, '42501', null, 'make none');
select throws_ok('update public.referral_codes set clicks = 1000', '42501', null, 'and count by the function alone:');

-- One click per visitor, code and day.
set local request.headers = '{"x-real-ip": "192.0.2.1", "user-agent": "Mozilla/5.0"}';
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'a click counts');
select is(pg_temp.counts('SPRING'), array[1, 0], 'one');
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'again it does not');
select is(pg_temp.counts('SPRING'), array[1, 0], 'still one');
select public.increment_referral_clicks('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'another code counts');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "Mozilla/5.0"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'another address counts');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "curl/8"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'another browser does not count');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "curl/8", "x-forwarded-for": "203.0.113.9"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'another claim of an address does not');
set local request.headers = '';
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'a request without headers is a visitor too');
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'always the same');
select is(pg_temp.counts('SPRING'), array[3, 0], 'one more');
select lives_ok($$select public.increment_referral_clicks('no such code')$$, 'an unknown code is no error');
select lives_ok($$select public.increment_referral_clicks(null)$$, 'none is none');
select lives_ok($$select public.increment_referral_clicks(repeat('x', 100000))$$, 'nor is a very long one');
select throws_ok($$select public.increment_referral_conversions('SPRING')$$, '42501', null, 'visitors convert nobody');
select throws_ok('select visitor from private.referral_visits', '42501', null, 'and see no other visitor');

reset role;
select is((select count(*) from private.referral_visits where code = 'no such code' or visitor is null), 0::bigint, 'nothing is kept of unknown codes');
select is((select count(distinct visitor) from private.referral_visits where octet_length(visitor) = 32), 3::bigint, 'visitors are hashes');
update private.referral_visits set day = day - 1;
update private.visit_salts set day = day - 1;

-- The next day.
set local role anon;
set local request.headers = '{"x-real-ip": "192.0.2.1", "user-agent": "Mozilla/5.0"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[4, 0], 'the next day a visitor counts again');
reset role;
select is((select count(*) from private.visit_salts), 1::bigint, 'yesterday''s salt is gone');
select is((select count(*) from private.referral_visits), 1::bigint, 'and yesterday''s visitors');

-- Users.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[5, 0], 'a user is a visitor');
set local request.headers = '{"x-real-ip": "192.0.2.77", "user-agent": "elsewhere"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[5, 0], 'the same one everywhere');
select public.increment_referral_clicks('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'who does not count on a code of her own');

select public.increment_referral_conversions('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'nor convert by it');
select public.increment_referral_conversions('no such code');
select public.increment_referral_conversions('BOBS');
select is(pg_temp.counts('BOBS'), array[0, 1], 'a user converts');
select lives_ok($$select public.increment_referral_conversions('BOBS')$$, 'again is no error');
select lives_ok($$select public.increment_referral_conversions('SPRING')$$, 'by another code neither');
select results_eq($$select pg_temp.counts('BOBS'), pg_temp.counts('SPRING')$$, $$values (array[0, 1], array[5, 0])$$, 'but it counts once');

select lives_ok($$insert into public.referral_analytics (referral_code, action) values ('BOBS', 'click')$$, 'users report clicks');
select lives_ok(
  $$insert into public.referral_analytics (referral_code, action, "timestamp", converted_user_id)
    values ('BOBS', 'signup', now(), '00000000-0000-4000-8000-00000000000a')$$, 'and their signup');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'signup', '00000000-0000-4000-8000-00000000000a')$$,
  '23505', null, 'once');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('BOBS', 'signup', '00000000-0000-4000-8000-00000000000b')$$,
  '42501', null, 'not that of another');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('BOBS', 'signup')$$, '42501', null, 'not that of nobody');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id, ip_address) values ('BOBS', 'signup', '00000000-0000-4000-8000-00000000000a', '192.0.2.1')$$,
  '23514', null, 'and without an address');
select is_empty('select id from public.referral_analytics', 'users read no reports, not their own');
select results_eq('select code from public.referral_codes', $$values ('ANNS')$$, 'and of the codes their own');
select throws_ok('update public.referral_codes set conversions = 1000', '42501', null, 'whose counters they do not set');
select throws_ok($$insert into public.referral_codes (code, owner_id) values ('MINE', '00000000-0000-4000-8000-00000000000a')$$, '42501', null, 'nor make more of them');

-- A deleted account whose token is still valid.
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000ff", "role": "authenticated"}';
select lives_ok($$select public.increment_referral_conversions('SPRING')$$, 'who has no profile converts nobody');
select is(pg_temp.counts('SPRING'), array[5, 0], 'and does not count');

-- An admin.
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2"}';
select is((select count(*) from public.referral_analytics), 5::bigint, 'an admin reads all reports');
select is((select count(*) from public.referral_codes where code in ('ANNS', 'BOBS', 'SPRING')), 3::bigint, 'and all codes');

reset role;
delete from auth.users where email = 'ann@example.com';
select is((select count(*) from public.referral_analytics where action = 'signup'), 0::bigint, 'an account takes its signup along');

select * from finish();
rollback;

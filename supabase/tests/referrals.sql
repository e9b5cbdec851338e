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
    values ('SPRING', 'click', now(), 'unknown', 'Mozilla/5.0')$$, 'visitors can report a click');
select lives_ok($$insert into public.referral_analytics (referral_code, action) values ('no such code', 'click')$$, 'visitors can report a click on an unknown code');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('SPRING', 'signup')$$, '42501', null, 'visitors cannot report a sign-up');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'signup', '00000000-0000-4000-8000-00000000000a')$$,
  '42501', null, 'visitors cannot report a user''s sign-up');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'click', '00000000-0000-4000-8000-00000000000a')$$,
  '23514', null, 'a click has no converted user');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('SPRING', 'purchase')$$, '42501', null, 'the action must be click or signup');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('', 'click')$$, '23514', null, 'a code must not be empty');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values (repeat('x', 65), 'click')$$, '23514', null, 'a code has at most 64 characters');
select lives_ok($$insert into public.referral_analytics (referral_code, action, user_agent, ip_address) values (repeat('x', 64), 'click', repeat('x', 1024), repeat('x', 64))$$, 'all fields can have their maximum length');
select throws_ok($$insert into public.referral_analytics (referral_code, action, user_agent) values ('SPRING', 'click', repeat('x', 1025))$$, '23514', null, 'a user agent has at most 1024 characters');
select throws_ok($$insert into public.referral_analytics (referral_code, action, ip_address) values ('SPRING', 'click', repeat('x', 65))$$, '23514', null, 'an address has at most 64 characters');
select throws_ok($$insert into public.referral_analytics (referral_code, action, "timestamp") values ('SPRING', 'click', now() + interval '2 days')$$, '42501', null, 'a click cannot be in the future');
select throws_ok('select id from public.referral_analytics', '42501', null, 'visitors cannot read reports');
select throws_ok($$update public.referral_analytics set action = 'click'$$, '42501', null, 'visitors cannot change reports');
select throws_ok('delete from public.referral_analytics', '42501', null, 'visitors cannot delete reports');
select throws_ok('select code from public.referral_codes', '42501', null, 'visitors cannot read codes');
select throws_ok($$insert into public.referral_codes (code) values ('MINE')$$, '42501', null, 'visitors cannot create codes');
select throws_ok('update public.referral_codes set clicks = 1000', '42501', null, 'visitors cannot set the counters');

-- One click per visitor, code and day.
set local request.headers = '{"x-real-ip": "192.0.2.1", "user-agent": "Mozilla/5.0"}';
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'visitors can count a click by the function');
select is(pg_temp.counts('SPRING'), array[1, 0], 'the click is counted');
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'clicking again is no error');
select is(pg_temp.counts('SPRING'), array[1, 0], 'the second click is not counted');
select public.increment_referral_clicks('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'a click on another code is counted');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "Mozilla/5.0"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'a click from another address is counted');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "curl/8"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'another browser at the same address is not counted');
set local request.headers = '{"x-real-ip": "192.0.2.2", "user-agent": "curl/8", "x-forwarded-for": "203.0.113.9"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[2, 0], 'a forged forwarding header is not counted');
set local request.headers = '';
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'a request without headers can click');
select lives_ok($$select public.increment_referral_clicks('SPRING')$$, 'it can click again');
select is(pg_temp.counts('SPRING'), array[3, 0], 'requests without headers count as one visitor');
select lives_ok($$select public.increment_referral_clicks('no such code')$$, 'an unknown code is no error');
select lives_ok($$select public.increment_referral_clicks(null)$$, 'a null code is no error');
select lives_ok($$select public.increment_referral_clicks(repeat('x', 100000))$$, 'a very long code is no error');
select throws_ok($$select public.increment_referral_conversions('SPRING')$$, '42501', null, 'visitors cannot convert');
select throws_ok('select visitor from private.referral_visits', '42501', null, 'visitors cannot read visits');

reset role;
select is((select count(*) from private.referral_visits where code = 'no such code' or visitor is null), 0::bigint, 'clicks on unknown codes are not stored');
select is((select count(distinct visitor) from private.referral_visits where octet_length(visitor) = 32), 3::bigint, 'visitors are stored as hashes');
update private.referral_visits set day = day - 1;
update private.visit_salts set day = day - 1;

-- The next day.
set local role anon;
set local request.headers = '{"x-real-ip": "192.0.2.1", "user-agent": "Mozilla/5.0"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[4, 0], 'on the next day the visitor is counted again');
reset role;
select is((select count(*) from private.visit_salts), 1::bigint, 'yesterday''s salt is deleted');
select is((select count(*) from private.referral_visits), 1::bigint, 'yesterday''s visits are deleted');

-- Users.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[5, 0], 'a user''s click is counted');
set local request.headers = '{"x-real-ip": "192.0.2.77", "user-agent": "elsewhere"}';
select public.increment_referral_clicks('SPRING');
select is(pg_temp.counts('SPRING'), array[5, 0], 'a user is the same visitor at every address');
select public.increment_referral_clicks('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'clicks on their own code are not counted');

select public.increment_referral_conversions('ANNS');
select is(pg_temp.counts('ANNS'), array[1, 0], 'users cannot convert by their own code');
select public.increment_referral_conversions('no such code');
select public.increment_referral_conversions('BOBS');
select is(pg_temp.counts('BOBS'), array[0, 1], 'a user''s conversion is counted');
select lives_ok($$select public.increment_referral_conversions('BOBS')$$, 'converting again is no error');
select lives_ok($$select public.increment_referral_conversions('SPRING')$$, 'converting by another code is no error');
select results_eq($$select pg_temp.counts('BOBS'), pg_temp.counts('SPRING')$$, $$values (array[0, 1], array[5, 0])$$, 'a user''s conversion is counted once');

select lives_ok($$insert into public.referral_analytics (referral_code, action) values ('BOBS', 'click')$$, 'users can report clicks');
select lives_ok(
  $$insert into public.referral_analytics (referral_code, action, "timestamp", converted_user_id)
    values ('BOBS', 'signup', now(), '00000000-0000-4000-8000-00000000000a')$$, 'users can report their sign-up');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('SPRING', 'signup', '00000000-0000-4000-8000-00000000000a')$$,
  '23505', null, 'users can report their sign-up only once');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id) values ('BOBS', 'signup', '00000000-0000-4000-8000-00000000000b')$$,
  '42501', null, 'users cannot report other users'' sign-up');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('BOBS', 'signup')$$, '42501', null, 'a sign-up needs a user');
select throws_ok(
  $$insert into public.referral_analytics (referral_code, action, converted_user_id, ip_address) values ('BOBS', 'signup', '00000000-0000-4000-8000-00000000000a', '192.0.2.1')$$,
  '23514', null, 'a sign-up has no address');
select is_empty('select id from public.referral_analytics', 'users cannot read reports, not even their own');
select results_eq('select code from public.referral_codes', $$values ('ANNS')$$, 'users can read their own codes');
select throws_ok('update public.referral_codes set conversions = 1000', '42501', null, 'users cannot set the counters');
select throws_ok($$insert into public.referral_codes (code, owner_id) values ('MINE', '00000000-0000-4000-8000-00000000000a')$$, '42501', null, 'users cannot create codes');

-- A deleted account whose token is still valid.
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000ff", "role": "authenticated"}';
select lives_ok($$select public.increment_referral_conversions('SPRING')$$, 'converting with a deleted account is no error');
select is(pg_temp.counts('SPRING'), array[5, 0], 'a deleted account''s conversion is not counted');

-- An admin.
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2"}';
select is((select count(*) from public.referral_analytics), 5::bigint, 'admins can read all reports');
select is((select count(*) from public.referral_codes where code in ('ANNS', 'BOBS', 'SPRING')), 3::bigint, 'admins can read all codes');

reset role;
delete from auth.users where email = 'ann@example.com';
select is((select count(*) from public.referral_analytics where action = 'signup'), 0::bigint, 'the report of the sign-up is deleted with the account');

select * from finish();
rollback;

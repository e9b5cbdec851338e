-- Page views and visits: users write and read their own, admins read all.
begin;
select plan(33);

-- Hides the data of a developer's database until the rollback.
delete from auth.users;

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com');
update public.users set is_admin = true where email = 'cyd@example.com';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
insert into public.page_views (user_id, page_path) values ('00000000-0000-4000-8000-00000000000b', '/settings');
insert into public.user_sessions (id, user_id, device_type) values
  ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-00000000000b', 'Tablet');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';

-- Page views.
select lives_ok($$insert into public.page_views (user_id, page_path, viewed_at) values ('00000000-0000-4000-8000-00000000000a', '/', now())$$, 'users can record their page views');
select lives_ok($$insert into public.page_views (page_path) values ('/rankings')$$, 'the user of a page view defaults to the caller');
select results_eq('select page_path from public.page_views order by page_path', $$values ('/'), ('/rankings')$$, 'users can read their page views');
select throws_ok($$insert into public.page_views (user_id, page_path) values ('00000000-0000-4000-8000-00000000000b', '/')$$, '42501', null, 'users cannot record page views for others');
select throws_ok($$insert into public.page_views (user_id, page_path) values (null, '/')$$, '42501', null, 'users cannot record page views without a user');
select throws_ok($$insert into public.page_views (page_path) values ('')$$, '23514', null, 'the path of a page view must not be empty');
select throws_ok($$insert into public.page_views (page_path) values ('/' || repeat('x', 2048))$$, '23514', null, 'the path of a page view has at most 2048 characters');
select throws_ok($$insert into public.page_views (page_path, viewed_at) values ('/', now() + interval '2 days')$$, '42501', null, 'page views cannot be in the future');
select throws_ok($$update public.page_views set page_path = '/admin'$$, '42501', null, 'page views cannot be updated');
select throws_ok('delete from public.page_views', '42501', null, 'page views cannot be deleted');

-- Visits.
select lives_ok(
  $$insert into public.user_sessions (user_id, session_start, last_activity, device_type, session_duration)
    values ('00000000-0000-4000-8000-00000000000a', now(), now(), 'Mobile', 0)$$, 'users can record a visit');
select results_eq('select device_type from public.user_sessions order by last_activity desc limit 1', $$values ('Mobile')$$, 'users can read their visits');
select lives_ok($$update public.user_sessions set last_activity = now(), session_duration = 90$$, 'users can extend their visits');
select results_eq('select session_duration from public.user_sessions', 'values (90)', 'an update changes only their own visits');
select throws_ok($$update public.user_sessions set session_start = now()$$, '42501', null, 'the start of a visit cannot be changed');
select throws_ok($$update public.user_sessions set device_type = 'Desktop'$$, '42501', null, 'the device of a visit cannot be changed');
select throws_ok($$update public.user_sessions set user_id = '00000000-0000-4000-8000-00000000000b'$$, '42501', null, 'the user of a visit cannot be changed');
select throws_ok($$update public.user_sessions set last_activity = now() + interval '2 days'$$, '42501', null, 'a visit cannot extend into the future');
select throws_ok($$update public.user_sessions set session_duration = -1$$, '23514', null, 'the duration of a visit cannot be negative');
select throws_ok($$insert into public.user_sessions (user_id, device_type) values ('00000000-0000-4000-8000-00000000000b', 'Mobile')$$, '42501', null, 'users cannot record visits for others');
select throws_ok($$insert into public.user_sessions (device_type) values ('Fridge')$$, '23514', null, 'the device must be one of three types');
select throws_ok($$insert into public.user_sessions (device_type, session_start) values ('Mobile', now() + interval '2 days')$$, '42501', null, 'a visit cannot begin in the future');
select throws_ok('delete from public.user_sessions', '42501', null, 'visits cannot be deleted');
select is_empty($$select from public.user_sessions where id = '00000000-0000-4000-8000-0000000000b1'$$, 'users cannot read other users'' visits');
update public.user_sessions set session_duration = 7 where id = '00000000-0000-4000-8000-0000000000b1';
reset role;
select is((select session_duration from public.user_sessions where id = '00000000-0000-4000-8000-0000000000b1'), 0, 'users cannot update other users'' visits');

-- Visitors.
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok('select id from public.page_views', '42501', null, 'visitors cannot read page views');
select throws_ok($$insert into public.page_views (user_id, page_path) values ('00000000-0000-4000-8000-00000000000a', '/')$$, '42501', null, 'visitors cannot record page views');
select throws_ok('select id from public.user_sessions', '42501', null, 'visitors cannot read visits');
select throws_ok($$insert into public.user_sessions (user_id, device_type) values ('00000000-0000-4000-8000-00000000000a', 'Mobile')$$, '42501', null, 'visitors cannot record visits');

-- An admin.
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000c", "role": "authenticated", "aal": "aal2"}';
select is((select count(*) from public.page_views), 3::bigint, 'admins can read all page views');
select is((select count(*) from public.user_sessions), 2::bigint, 'admins can read all visits');

reset role;
delete from auth.users where email = 'ann@example.com';
select is((select count(*) from public.page_views), 1::bigint, 'page views are deleted with the account');
select is((select count(*) from public.user_sessions), 1::bigint, 'visits are deleted with the account');

select * from finish();
rollback;

-- What admins do and count, what users report to them, and that nobody else can do the same.
begin;
select plan(84);
delete from auth.users;
delete from public.audit_log;
delete from public.contact_messages;
delete from public.referral_codes;
delete from public.referral_analytics;
delete from private.contact_attempts;

insert into auth.users (id, email, raw_user_meta_data, created_at) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', '{"full_name": "Ann", "role": "player"}', now() - interval '40 days'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', '{"full_name": "Bob", "role": "scout"}', now() - interval '1 day'),
  ('00000000-0000-4000-8000-00000000000c', 'cyd@example.com', '{"full_name": "Cyd", "role": "fan"}', now()),
  ('00000000-0000-4000-8000-00000000000d', 'dan@example.com', '{"full_name": "Dan", "role": "fan"}', now());
insert into public.birth_dates (user_id, birth_date) select id, '1990-01-01' from public.users;
insert into auth.sessions (id, user_id, aal, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', 'aal1', now(), now());

create function pg_temp.act(who text) returns void
language sql
as $$
  select set_config('role', case who when '-' then 'anon' else 'authenticated' end, true),
    set_config('request.jwt.claims', case who when '-' then '{"role": "anon"}' else jsonb_build_object(
      'sub', '00000000-0000-4000-8000-00000000000' || who, 'role', 'authenticated', 'aal', 'aal2')::text end, true)
$$;

-- Changes of rights are logged, whoever makes them.
update public.users set is_admin = true where email in ('cyd@example.com', 'dan@example.com');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
select results_eq($$select action, actor_id, subject_id from public.audit_log order by id$$,
  $$values ('admin_granted', null::uuid, '00000000-0000-4000-8000-00000000000c'), ('admin_granted', null::uuid, '00000000-0000-4000-8000-00000000000d')$$, 'admin rights that were granted in SQL are logged');

-- Users who are not admins.
select pg_temp.act('a');
select throws_ok(call, '42501', 'Only admins may do this.', call || ' is for admins only')
from unnest(array[
  $$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000b', 'because')$$,
  $$select public.admin_unsuspend_user('00000000-0000-4000-8000-00000000000b', 'because')$$,
  $$select public.admin_set_role('00000000-0000-4000-8000-00000000000a', 'coach', 'because')$$,
  $$select public.admin_verify_scout('00000000-0000-4000-8000-00000000000b', true)$$,
  $$select public.admin_adjust_tokens('00000000-0000-4000-8000-00000000000a', 1000, 'because')$$,
  $$select public.admin_set_membership('00000000-0000-4000-8000-00000000000a', 'ELITE', 'because')$$,
  $$select public.admin_clear_birth_date('00000000-0000-4000-8000-00000000000a', 'because')$$,
  $$select public.admin_handle_report(gen_random_uuid(), 'resolved', 'because')$$,
  $$select public.admin_handle_reports(array[gen_random_uuid()], 'resolved', 'because')$$,
  $$select public.admin_handle_contact(gen_random_uuid())$$,
  $$select public.admin_totals()$$, $$select public.admin_activity()$$, $$select public.admin_weekly_activity()$$,
  $$select public.admin_devices()$$, $$select public.admin_top_pages()$$, $$select public.admin_referral_funnel()$$,
  $$select public.admin_referral_codes()$$]) as call;
select pg_temp.act('-');
select throws_ok('select public.admin_totals()', '42501', 'permission denied for function admin_totals', 'visitors may not call admin functions');

-- Suspension.
select pg_temp.act('c');
select throws_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000a', ' ')$$, 'PT400', null, 'a suspension needs a reason');
select throws_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000c', 'because')$$, 'PT400', null, 'admins cannot suspend themselves');
select throws_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-0000000000ff', 'because')$$, 'PT404', null, 'unknown users cannot be suspended');
select lives_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000a', 'Spam')$$, 'admins can suspend users');
select lives_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000a', 'Spam and abuse')$$, 'admins can change the reason');
select results_eq('select reason from public.suspensions', $$values ('Spam and abuse')$$, 'a user has one suspension');
select throws_ok('select suspended_by from public.suspensions', '42501', null, 'the admin who suspended cannot be read through the API');
reset role;
select results_eq('select suspended_by from public.suspensions', $$values ('00000000-0000-4000-8000-00000000000c'::uuid)$$, 'the admin who suspended is stored');
select is_empty('select from auth.sessions', 'a suspension ends the user''s sessions');
select pg_temp.act('b');
select is_empty($$select id from public.profiles where full_name = 'Ann'$$, 'other users do not see a suspended user');
select pg_temp.act('c');
select lives_ok($$select public.admin_unsuspend_user('00000000-0000-4000-8000-00000000000a', 'Apologized')$$, 'admins can lift a suspension');
select throws_ok($$select public.admin_unsuspend_user('00000000-0000-4000-8000-00000000000a', 'Apologized')$$, 'PT404', null, 'a lifted suspension cannot be lifted again');
select pg_temp.act('b');
select isnt_empty($$select id from public.profiles where full_name = 'Ann'$$, 'after the suspension the user is visible again');
select pg_temp.act('d');
select lives_ok($$select public.admin_suspend_user('00000000-0000-4000-8000-00000000000c', 'A stolen account')$$, 'admins can suspend other admins');
select pg_temp.act('c');
select throws_ok('select public.admin_totals()', '42501', null, 'a suspended admin cannot call admin functions');
select is((select count(*) from public.users), 1::bigint, 'a suspended admin cannot read other users');
select pg_temp.act('d');
select lives_ok($$select public.admin_unsuspend_user('00000000-0000-4000-8000-00000000000c', 'Back in hand')$$, 'another admin can lift it');

-- Users.
select pg_temp.act('c');
select throws_ok($$select public.admin_set_role('00000000-0000-4000-8000-00000000000a', 'admin', 'because')$$, 'PT400', null, 'admin is not a role');
select lives_ok($$select public.admin_set_role('00000000-0000-4000-8000-00000000000a', 'coach', 'Asked for it')$$, 'admins can set a user''s role');
select results_eq($$select role, user_type from public.users where full_name = 'Ann'$$, $$values ('coach', 'coach')$$, 'both columns of the role are set');
select isnt_empty($$select from public.coaches$$, 'the row of the new role is created');
select lives_ok($$select public.admin_verify_scout('00000000-0000-4000-8000-00000000000b', true)$$, 'admins can verify scouts');
select throws_ok('select verified_by from public.scouts', '42501', null, 'the admin who verified cannot be read through the API');
select lives_ok($$select public.admin_verify_scout('00000000-0000-4000-8000-00000000000b', false)$$, 'the verification can be withdrawn');
select throws_ok($$select public.admin_verify_scout('00000000-0000-4000-8000-00000000000d', true)$$, 'PT404', null, 'a user who is no scout cannot be verified as one');
select lives_ok($$select public.admin_adjust_tokens('00000000-0000-4000-8000-00000000000a', -50, 'Redeemed twice')$$, 'admins can subtract tokens');
select is((select referral_tokens from public.users where full_name = 'Ann'), 100, 'the balance follows the ledger');
select throws_ok($$select public.admin_adjust_tokens('00000000-0000-4000-8000-00000000000a', -101, 'Too many')$$, 'PT400', null, 'the balance cannot become negative');
select throws_ok($$select public.admin_adjust_tokens('00000000-0000-4000-8000-00000000000a', 0, 'None')$$, 'PT400', null, 'an adjustment must not be zero');
select lives_ok($$select public.admin_set_membership('00000000-0000-4000-8000-00000000000a', 'ELITE', 'Paid by cheque')$$, 'admins can set the membership');
select throws_ok($$select public.admin_set_membership('00000000-0000-4000-8000-00000000000a', 'GOLD', 'because')$$, 'PT400', null, 'the tier must exist');
select lives_ok($$select public.admin_clear_birth_date('00000000-0000-4000-8000-00000000000a', 'Mistyped')$$, 'admins can clear a birth date');
select is_empty($$select from public.birth_dates where user_id = '00000000-0000-4000-8000-00000000000a'$$, 'the birth date is deleted');
select throws_ok($$select public.admin_clear_birth_date('00000000-0000-4000-8000-00000000000a', 'Mistyped')$$, 'PT404', null, 'a missing birth date cannot be cleared');
select results_eq($$select email, role, profile, tier, suspended_at, verified_at from public.admin_users where id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values ('ann@example.com', 'coach', 'coach', 'ELITE', null::timestamptz, null::timestamptz)$$, 'admin_users shows all data of a user in one row');
select is((select role from public.admin_users where full_name = 'Cyd'), 'admin', 'admin_users shows who is an admin');

-- Reports and messages.
select pg_temp.act('b');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason, details) values ('profile', '00000000-0000-4000-8000-00000000000d', 'abuse', 'Rude')$$, 'users can report others');
select throws_ok($$insert into public.reports (subject_kind, reason, status) values ('other', 'spam', 'resolved')$$, '42501', null, 'users cannot set the status of a report');
select lives_ok($$insert into public.reports (subject_kind, reason) select 'other', 'spam' from generate_series(2, 20)$$, 'users can send twenty reports a day');
select throws_ok($$insert into public.reports (subject_kind, reason) values ('other', 'spam')$$, 'PT429', null, 'the next report is refused');
select pg_temp.act('-');
set local request.headers = '{"x-real-ip": "192.0.2.9", "user-agent": "Mozilla/5.0"}';
select throws_ok($$select public.send_contact_message('', 'v@example.com', '', 'Hi')$$, 'PT400', 'Your name is required, in up to 120 characters.', 'a contact message needs a name');
select throws_ok($$select public.send_contact_message('Vi', 'v@', '', 'Hi')$$, 'PT400', 'That is not an e-mail address.', 'a contact message needs an e-mail address');
select throws_ok($$select public.send_contact_message('Vi', 'v@example.com', repeat('x', 151), 'Hi')$$, 'PT400', null, 'the subject is limited');
select throws_ok($$select public.send_contact_message('Vi', 'v@example.com', null, null)$$, 'PT400', null, 'a contact message needs a text');
select lives_ok($$select public.send_contact_message(' Vi ', 'v@example.com', null, 'Hi') from generate_series(1, 5)$$, 'a visitor can send five messages');
select throws_ok($$select public.send_contact_message('Vi', 'v@example.com', '', 'Hi')$$, 'PT429', 'You have sent five messages within an hour.', 'the sixth message is refused');
set local request.headers = '{"x-real-ip": "192.0.2.9", "user-agent": "another"}';
select throws_ok($$select public.send_contact_message('Vi', 'v@example.com', '', 'Hi')$$, 'PT429', null, 'another browser does not raise the limit');
set local request.headers = '{"x-real-ip": "192.0.2.10", "user-agent": "Mozilla/5.0"}';
select lives_ok($$select public.send_contact_message('Wu', 'w@example.com', '', 'Hi')$$, 'another address has its own limit');
select pg_temp.act('c');
select results_eq($$select name, user_id, count(*) from public.contact_messages group by 1, 2 order by 1$$, $$values ('Vi', null::uuid, 5::bigint), ('Wu', null, 1)$$, 'admins can read contact messages');
select lives_ok($$select public.admin_handle_contact(id) from public.contact_messages where name = 'Wu'$$, 'admins can mark a message as handled');
select lives_ok($$select public.admin_handle_contact(id, false) from public.contact_messages where name = 'Wu'$$, 'admins can undo that');
select results_eq($$select handled_at, handled_by from public.contact_messages where name = 'Wu'$$, $$values (null::timestamptz, null::uuid)$$, 'undoing clears time and admin');
select lives_ok($$select public.admin_handle_contact(id) from public.contact_messages where name = 'Wu'$$, 'a message can be handled again');
select lives_ok($$select public.admin_handle_report(id, 'dismissed', 'Not rude') from public.reports where subject_user_id is not null$$, 'admins can dismiss reports');
select throws_ok($$select public.admin_handle_report(id, 'gone', 'because') from public.reports limit 1$$, 'PT400', null, 'the status must be valid');

-- All of it is in the log, with names.
select results_eq($$select actor_name, action, subject_name, reason, detail from public.admin_audit_log where action in ('tokens_adjusted', 'report_dismissed') order by id$$,
  $$values ('Cyd', 'tokens_adjusted', 'Ann', 'Redeemed twice', '{"amount": -50}'::jsonb),
    ('Cyd', 'report_dismissed', 'Dan', 'Not rude', '{"user_id": "00000000-0000-4000-8000-00000000000d"}')$$, 'the log has actor, action, subject, reason and details');
select results_eq($$select actor_id, actor_name, subject_name from public.admin_audit_log where action = 'admin_granted' order by id$$,
  $$values (null::uuid, null, 'Cyd'), (null, null, 'Dan')$$, 'rights that were granted in SQL have no actor');
select is((select count(*) from public.admin_audit_log where action = 'contact_handled' and subject_name is null), 2::bigint, 'the subject of a contact message has no name');

-- Statistics.
reset role;
insert into public.page_views (user_id, page_path, viewed_at) values
  ('00000000-0000-4000-8000-00000000000a', '/', now()), ('00000000-0000-4000-8000-00000000000a', '/search', now()),
  ('00000000-0000-4000-8000-00000000000b', '/', now() - interval '3 days'), ('00000000-0000-4000-8000-00000000000c', '/', now() - interval '20 days');
insert into public.user_sessions (user_id, session_start, device_type, session_duration) values
  ('00000000-0000-4000-8000-00000000000a', now(), 'Mobile', 60), ('00000000-0000-4000-8000-00000000000b', now(), 'Mobile', 120),
  ('00000000-0000-4000-8000-00000000000c', now() - interval '60 days', 'Desktop', 10);
update public.referral_codes set code = 'ANNS' where owner_id = '00000000-0000-4000-8000-00000000000a';
insert into public.referral_analytics (referral_code, action) values ('ANNS', 'click'), ('ANNS', 'click'), ('OTHER', 'click');
select pg_temp.act('c');
select results_eq('select users, players, coaches, scouts, fans, suspended, open_reports, open_messages, dau, wau, mau from public.admin_totals()',
  'values (4::bigint, 0::bigint, 1::bigint, 1::bigint, 2::bigint, 0::bigint, 19::bigint, 5::bigint, 1::bigint, 2::bigint, 3::bigint)', 'admin_totals() counts users, reports, messages and activity');
select results_eq('select count(*), sum(active_users), sum(page_views), sum(sessions), sum(new_users) from public.admin_activity(7)',
  'values (7::bigint, 2::numeric, 3::numeric, 2::numeric, 3::numeric)', 'admin_activity() returns one row per day');
select results_eq('select device_type, sessions, users, average_seconds from public.admin_devices(30)', $$values ('Mobile', 2::bigint, 2::bigint, 90)$$, 'admin_devices() returns visits by device');
select results_eq('select page_path, views from public.admin_top_pages(30)', $$values ('/', 3::bigint), ('/search', 1)$$, 'admin_top_pages() returns the most viewed pages');
select results_eq('select sum(clicks), sum(signups), sum(conversions) from public.admin_referral_funnel(30)', 'values (3::numeric, 0::numeric, 0::numeric)', 'admin_referral_funnel() sums all codes');
select is((select count(*) from public.admin_weekly_activity(4)), 4::bigint, 'admin_weekly_activity() returns one row per week');
select pg_temp.act('a');
select results_eq('select sum(clicks), sum(signups), count(*) from public.referral_funnel(30)', 'values (2::numeric, 0::numeric, 30::bigint)', 'referral_funnel() sums the caller''s codes only');

select * from finish();
rollback;

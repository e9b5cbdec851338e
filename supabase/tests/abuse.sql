-- Attempts at abuse, all of which must fail.
begin;
select plan(93);
delete from auth.users;
delete from public.audit_log;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text, session uuid default null) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_strip_nulls(jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2', 'session_id', session))::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.years_ago(years integer) returns date
language sql stable
as $$ select ((now() at time zone 'utc')::date - make_interval(years => years))::date $$;
-- Runs a query that the current user may not run, with the rights of the role that runs this file.
create function pg_temp.truth(question text) returns text
language plpgsql security definer
as $$
declare
  answer text;
begin
  execute question into answer;
  return answer;
end
$$;
create function pg_temp.shown(name text) returns boolean
language sql
as $$ select pg_temp.truth(format('select private.may_be_shown(%L)', pg_temp.id(name)))::boolean $$;
create function pg_temp.invitation(name text, address text) returns uuid
language sql
as $$ select pg_temp.truth(format('select id from public.guardianships where ward_id = %L and invited_email = %L', pg_temp.id(name), address))::uuid $$;
create function pg_temp.team() returns uuid
language sql
as $$ select pg_temp.truth($q$select id from public.teams where name = 'Owls'$q$)::uuid $$;
create function pg_temp.standing(name text) returns text
language sql
as $$ select pg_temp.truth(format('select role || '' '' || status from public.team_members where user_id = %L', pg_temp.id(name))) $$;

-- kid and kit are 11, cub is a coach of 15, una and uno have given no birth date. All have confirmed their address by
-- mail except eve, who signed up with someone else's address.
insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', case when name <> 'eve' then now() end, now(),
  jsonb_build_object('full_name', name, 'role', role)
from (values ('kid', 'player'), ('kit', 'player'), ('una', 'player'), ('ann', 'player'), ('mum', 'fan'), ('dad', 'fan'),
  ('eve', 'fan'), ('sus', 'fan'), ('adm', 'fan'), ('cam', 'coach'), ('cub', 'coach'), ('uno', 'coach')) as people (name, role);
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), pg_temp.years_ago(age)
from (values ('kid', 11), ('kit', 11), ('ann', 20), ('mum', 40), ('dad', 40), ('eve', 40), ('sus', 40), ('adm', 40), ('cam', 40),
  ('cub', 15)) as ages (name, age);

insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));

-- Signing up with the address of another child's mother.
select pg_temp.act('kid');
select lives_ok($$select public.invite_guardian('eve@example.com')$$, 'a child can invite any address as guardian');
select pg_temp.act('eve');
select is_empty('select * from public.my_invitations()', 'an account with this address sees no invitation before it has confirmed the address');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid', 'eve@example.com'), true)$$, 'PT404', null, 'it cannot accept the invitation');
reset role;
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id('ses'), pg_temp.id('eve'), 'aal1', now(), now());
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('ses'), 'password', now(), now());
select pg_temp.act('eve');
select is_empty('select * from public.my_invitations()', 'signing in with a password does not prove the address');
reset role;
update auth.mfa_amr_claims set authentication_method = 'otp';
update auth.users set phone = '15550100' where id = pg_temp.id('eve');
select pg_temp.act('eve');
select is_empty('select * from public.my_invitations()', 'a code by SMS does not prove the address');
reset role;
update auth.users set phone = null where id = pg_temp.id('eve');
select pg_temp.act('eve');
select isnt_empty('select * from public.my_invitations()', 'a code by mail proves the address');
reset role;
update auth.mfa_amr_claims set authentication_method = 'oauth';
insert into auth.identities (id, user_id, provider_id, provider, identity_data, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('eve'), '1', 'github', '{"email": "eve@example.com"}', now(), now());
create function pg_temp.invited_as(data jsonb, provider text default 'github') returns boolean
language plpgsql security definer
as $$
begin
  update auth.identities as i set identity_data = data, provider = invited_as.provider where i.provider_id = '1';
  return private.invited_caller(pg_temp.id('eve')) is not null;
end
$$;
select is(pg_temp.invited_as('{"email": "eve@example.com", "email_verified": false}'), false, 'a provider''s unverified address proves nothing');
select is(pg_temp.invited_as('{"email": "other@example.com", "email_verified": true}'), false, 'a provider''s verified address must be the same');
select is(pg_temp.invited_as('{"email": "eve@example.com", "email_verified": true}', 'email'), false, 'the sign-up form''s own identity proves nothing');
select is(pg_temp.invited_as('{"email": "Eve@example.com", "email_verified": true}'), true, 'a provider''s verified address proves the address');
delete from auth.identities where provider_id = '1';
update auth.mfa_amr_claims set authentication_method = 'recovery';
select pg_temp.act('eve');
select isnt_empty('select * from public.my_invitations()', 'a recovery link by mail proves the address');
select lives_ok($$select public.answer_invitation(pg_temp.invitation('kid', 'eve@example.com'), false)$$, 'the invitation can be declined after the proof');

-- A second account as a second guardian, to get rid of the first.
select pg_temp.act('kid');
select public.invite_guardian('mum@example.com');
select public.invite_guardian('dad@example.com');
select pg_temp.act('mum');
select public.answer_invitation(pg_temp.invitation('kid', 'mum@example.com'), true);
select public.set_ward_visibility(pg_temp.id('kid'), false);
reset role;
update public.guardianships set answered_at = answered_at - interval '1 hour' where status = 'accepted';
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values
  (pg_temp.id('mus'), pg_temp.id('mum'), 'aal1', now(), now()), (pg_temp.id('das'), pg_temp.id('dad'), 'aal1', now(), now());
select pg_temp.act('dad', pg_temp.id('das'));
select lives_ok($$select public.answer_invitation(pg_temp.invitation('kid', 'dad@example.com'), true)$$, 'a child can have two guardians');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '1999-01-01')$$, '42501', 'Only the guardian who accepted first may do this.', 'the second guardian cannot make the child an adult');
select throws_ok($$select public.delete_account(pg_temp.id('kid'))$$, '42501', 'Only the guardian who accepted first may do this.', 'the second guardian cannot delete the child''s account');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), true)$$, 'the second guardian can allow the profile to be shown');
select is(pg_temp.shown('kid'), false, 'the profile stays hidden while the first guardian hides it');
select pg_temp.act('mum', pg_temp.id('mus'));
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(11))$$, 'the first guardian can correct the birth date');

-- Coaches, and users without a birth date.
select pg_temp.act('cam');
select public.create_team('Owls');
select pg_temp.act('una');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, 'PT400', 'Tell us your birth date first.', 'a player without a birth date cannot ask to join a team');
select pg_temp.act('uno');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, 'PT400', 'Tell us your birth date first.', 'a coach without a birth date cannot ask to join a team');
select pg_temp.act('cub');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, '42501', 'A coach is an adult.', 'a coach of 15 cannot ask to join a team');
reset role;
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.team(), pg_temp.id('una'), 'player', 'asked'), (pg_temp.team(), pg_temp.id('kit'), 'player', 'asked'), (pg_temp.team(), pg_temp.id('cub'), 'coach', 'asked')
on conflict do nothing;
select pg_temp.act('cam');
select throws_ok(format('select public.accept_member(pg_temp.team(), pg_temp.id(%L))', name), '42501', null, name || ' cannot be accepted')
from unnest(array['una', 'kit', 'cub']) as name;
reset role;
update public.team_members set status = 'active';
select pg_temp.act('cam');
select is_empty($$select id from public.profiles where id in (pg_temp.id('una'), pg_temp.id('kit'))$$, 'a coach does not see members without a birth date or guardian');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('una'), 'bat_speed', 60, 'coach')$$, '42501', null, 'a coach cannot write measurements of such a member');
select pg_temp.act('cub');
select is_empty('select private.coached_teams()', 'a coach of 15 has no coached teams');
reset role;
update public.users set role = 'fan', user_type = 'fan' where id = pg_temp.id('cam');
select pg_temp.act('cam');
select is_empty('select private.coached_teams()', 'a former coach has no coached teams');
reset role;
update public.users set role = 'coach', user_type = 'coach' where id = pg_temp.id('cam');
delete from public.team_members where user_id <> pg_temp.id('cam');

-- An unattended browser: enrolling a second factor in it proves nothing.
insert into auth.sessions (id, user_id, aal, created_at, updated_at)
values (pg_temp.id('old'), pg_temp.id('ann'), 'aal2', now() - interval '3 days', now());
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (pg_temp.id('fac'), pg_temp.id('ann'), 'totp', 'verified', now() - interval '1 minute', now());
update auth.sessions set factor_id = pg_temp.id('fac') where id = pg_temp.id('old');
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('old'), 'totp', now(), now());
select pg_temp.act('ann', pg_temp.id('old'));
select is(public.is_sign_in_recent(), false, 'a factor enrolled after the session began does not make it recent');
reset role;
update auth.mfa_factors set created_at = now() - interval '4 days';
select pg_temp.act('ann', pg_temp.id('old'));
select is(public.is_sign_in_recent(), true, 'an older factor makes the session recent');
reset role;
insert into auth.oauth_clients (id, client_type, token_endpoint_auth_method, registration_type, redirect_uris, grant_types, created_at, updated_at)
values (pg_temp.id('app'), 'public', 'none', 'manual', 'https://app.example.com', 'authorization_code', now(), now());
update auth.sessions set oauth_client_id = pg_temp.id('app') where id = pg_temp.id('old');
select pg_temp.act('ann', pg_temp.id('old'));
select is(public.is_sign_in_recent(), false, 'a session of another app is never recent');

-- An admin clears the birth date of a child, who then claims to be older.
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
select pg_temp.act('kid');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '1999-01-01')$$, '42501', null, 'a child cannot enter a new birth date after an admin cleared it');
select pg_temp.act('mum');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(15))$$, 'the guardian can enter it');

-- What a guardian learns from the export of a child, and what stays in force when the guardian leaves.
select pg_temp.act('kid');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason, details) values ('profile', pg_temp.id('mum'), 'minor_safety', 'She hurts me')$$, 'a child can report the guardian');
select lives_ok($$select public.send_contact_message('kid', 'kid@example.com', 'Help', 'She hurts me')$$, 'a child can write to us');
select pg_temp.act('mum', pg_temp.id('mus'));
select unalike(public.export_my_data(pg_temp.id('kid'))::text, '%hurts me%', 'the guardian''s export does not contain the child''s report');
select unalike(public.export_my_data(pg_temp.id('kid'))::text, '%dad@example.com%', 'the guardian''s export does not contain other invited addresses');
select alike(public.export_my_data(pg_temp.id('kid'))::text, '%mum@example.com%', 'the guardian''s export contains the guardian''s own invitation');
select is(pg_temp.truth($$select hides_profile from public.guardianships where guardian_id = pg_temp.id('mum')$$), 'true', 'the guardian hides the profile');
select lives_ok('select public.delete_account()', 'the guardian deletes their own account');
reset role;
select is(pg_temp.shown('kid') and (select public_profile from public.users where full_name = 'kid'), false, 'the profile stays hidden after the guardian has left');
update public.users set public_profile = true where full_name = 'kid';
update public.guardianships set hides_profile = true where guardian_id = pg_temp.id('dad');
select pg_temp.act('dad');
select lives_ok($$select public.revoke_guardianship(guardianship_id) from public.my_wards()$$, 'the other guardian can end the guardianship');
reset role;
select is((select public_profile from public.users where full_name = 'kid'), false, 'the profile stays private after that as well');

-- Everything reported to us about a user is deleted with the account.
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id('kis'), pg_temp.id('kid'), 'aal1', now(), now());
insert into auth.audit_log_entries (instance_id, id, payload, created_at)
values (null, gen_random_uuid(), json_build_object('actor_id', pg_temp.id('kid'), 'actor_username', 'kid@example.com'), now()),
  (null, gen_random_uuid(), json_build_object('actor_id', pg_temp.id('adm'), 'traits', json_build_object('user_id', pg_temp.id('kid'), 'user_email', 'kid@example.com')), now()),
  (null, gen_random_uuid(), json_build_object('actor_id', pg_temp.id('adm')), now());
select pg_temp.act('kid', pg_temp.id('kis'));
select lives_ok('select public.delete_account()', 'the child can delete the account');
reset role;
select is_empty('select from public.contact_messages', 'messages to us are deleted with the account');
select results_eq($$select payload ->> 'actor_id' from auth.audit_log_entries$$, $$values (pg_temp.id('adm')::text)$$, 'audit entries of the auth service are deleted with the account');

-- Changing the event of a measurement after it was verified.
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team(), pg_temp.id('ann'), 'player', 'active');
select pg_temp.act('ann');
insert into public.measurements (id, player_id, kind, value, source, event) values
  (pg_temp.id('one'), pg_temp.id('ann'), 'bat_speed', 60, 'self', 'Cage'), (pg_temp.id('two'), pg_temp.id('ann'), 'bat_speed', 61, 'self', 'Cage');
select pg_temp.act('cam');
select public.verify_measurement(pg_temp.id('one'));
insert into public.measurements (id, player_id, kind, value, source, event) values (pg_temp.id('tre'), pg_temp.id('ann'), 'bat_speed', 62, 'coach', 'Cage');
select public.verify_measurement(pg_temp.id('tre'), false);
select pg_temp.act('ann');
select lives_ok($$update public.measurements set event = 'Practice' where id = pg_temp.id('two')$$, 'the event of an unverified measurement can be changed');
select throws_ok($$update public.measurements set event = 'Showcase' where id = pg_temp.id('one')$$, '42501', 'What was verified cannot be changed.', 'the event of a verified measurement cannot be changed');
select throws_ok($$update public.measurements set event = 'Showcase' where id = pg_temp.id('tre')$$, '42501', 'What was verified cannot be changed.', 'the event of a coach''s measurement cannot be changed');
select lives_ok($$update public.measurements set verification_asked = true$$, 'the player can ask for verification');

-- Many clicks, and conversions of old accounts.
reset role;
update public.referral_codes set code = 'ANNS' where owner_id = pg_temp.id('ann');
update public.users set created_at = now() - interval '25 hours' where id = pg_temp.id('eve');
insert into public.suspensions (user_id, reason) values (pg_temp.id('cub'), 'Spam');
select pg_temp.act('eve');
select public.increment_referral_conversions('ANNS');
select pg_temp.act('cub');
select public.increment_referral_conversions('ANNS');
reset role;
select is((select conversions from public.referral_codes where code = 'ANNS'), 0, 'old accounts and suspended accounts do not convert');
delete from public.suspensions;
select pg_temp.act('eve');
select throws_ok($$insert into public.referral_analytics (referral_code, action, "timestamp") values ('ANNS', 'click', now() - interval '2 days')$$, '42501', null, 'a click cannot be dated two days back');
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
set local request.headers = '{"x-real-ip": "192.0.2.1"}';
select lives_ok($$insert into public.referral_analytics (referral_code, action) select 'ANNS', 'click' from generate_series(1, 100)$$, 'an address can report a hundred clicks a day');
select throws_ok($$insert into public.referral_analytics (referral_code, action) values ('ANNS', 'click')$$, 'PT429', null, 'the next click is refused');
set local request.headers = '{"x-real-ip": "192.0.2.2"}';
select lives_ok($$insert into public.referral_analytics (referral_code, action) values ('ANNS', 'click')$$, 'another address can still report clicks');

-- Closed teams, overlong arrays, nonsensical timestamps.
reset role;
select pg_temp.act('cam');
update public.teams set active = false;
select results_eq('select name from public.teams', $$values ('Owls')$$, 'a coach sees their own closed team');
select lives_ok('update public.teams set active = true', 'a coach can reopen it');
select throws_ok($$update public.coaches set certifications = array[repeat('x', 4000)]$$, '23514', null, 'the length of certifications is limited');
select pg_temp.act('ann');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, taken_at) values (pg_temp.id('ann'), 'bat_speed', 60, 'self', '-infinity')$$, '23514', null, 'measurements cannot be dated -infinity');
select throws_ok($$insert into public.commitments (player_id, program, committed_on) values (pg_temp.id('ann'), 'State', 'infinity')$$, '23514', null, 'commitments cannot be dated infinity');
select throws_ok($$insert into public.videos (player_id, title, url, recorded_on) values (pg_temp.id('ann'), 'V', 'https://v.example/1', 'infinity')$$, '23514', null, 'videos cannot be dated infinity');
select throws_ok($$insert into public.page_views (page_path, viewed_at) values ('/', now() - interval '2 days')$$, '42501', null, 'page views cannot be dated two days back');
select throws_ok($$insert into public.user_sessions (device_type, session_start) values ('Mobile', '2000-01-01')$$, '42501', null, 'visits cannot be dated years back');
select pg_temp.act('kit');
select throws_ok($$insert into public.page_views (page_path) values ('/')$$, '42501', null, 'page views of a child without a guardian are not stored');
select throws_ok($$insert into public.user_sessions (device_type) values ('Mobile')$$, '42501', null, 'visits of a child without a guardian are not stored');

-- 29 February, by age and by day.
reset role;
select results_eq($$select private.birthday('2012-02-29', 13), private.birthday('2012-02-29', 16), private.birthday('2011-03-01', 13)$$, $$values ('2025-03-01'::date, '2028-02-29'::date, '2024-03-01'::date)$$, 'the 13th birthday after 29 February is 1 March, except in leap years');
select is_empty($$select born from generate_series('2011-12-25'::date, '2012-03-05', '1 day') as born, lateral (select private.birthday(born::date, 13) as day) as b
  where extract(year from age(day::timestamp, born::timestamp)) <> 13 or extract(year from age((day - 1)::timestamp, born::timestamp)) <> 12$$, 'birthday() agrees with age() for all days around 29 February');

-- Suspended users, as others see them and write about them.
delete from public.measurements;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('dad'), 'dad@example.com', 'accepted');
insert into public.suspensions (user_id, reason) values (pg_temp.id('kit'), 'A reason'), (pg_temp.id('ann'), 'A reason');
select pg_temp.act('dad');
select isnt_empty($$select id from public.profiles where id = pg_temp.id('kit')$$, 'the guardian sees a suspended ward');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('kit'), 'bat_speed', 60, 'self')$$, '42501', null, 'the guardian cannot write for a suspended ward');
select pg_temp.act('cam');
select is_empty($$select id from public.profiles where id = pg_temp.id('ann')$$, 'a coach does not see a suspended player');
reset role;
delete from public.suspensions;
select pg_temp.act('dad');
select lives_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('kit'), 'bat_speed', 60, 'self')$$, 'the guardian can write after the suspension');

-- A guardian who turns out to be a minor.
select is(pg_temp.truth($$select private.has_guardian(pg_temp.id('kit'))$$), 'true', 'kit has a guardian');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(16) where user_id = pg_temp.id('dad');
select is(pg_temp.truth($$select private.has_guardian(pg_temp.id('kit'))$$), 'false', 'a guardian of 16 does not count');
select pg_temp.act('dad');
select is_empty('select * from public.my_wards()', 'a guardian of 16 has no wards');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(40) where user_id = pg_temp.id('dad');

-- Nobody can read who created, verified or suspended something.
set local role anon;
select throws_ok('select created_by from public.teams', '42501', null, 'visitors cannot read who created a team');
select throws_ok('select verified_by from public.scouts', '42501', null, 'visitors cannot read who verified a scout');

-- Actions of guardians are logged.
reset role;
delete from public.audit_log;
select pg_temp.act('dad');
select public.set_ward_visibility(pg_temp.id('kit'), visible) from unnest(array[false, true]) as visible;
select public.revoke_guardianship(guardianship_id) from public.my_wards();
select pg_temp.act('kit');
select public.invite_guardian('dad@example.com');
select pg_temp.act('dad');
select public.answer_invitation(id, true) from public.my_invitations();
reset role;
select results_eq($$select action, actor_id, subject_id from public.audit_log order by id$$,
  $$select action, pg_temp.id('dad'), pg_temp.id('kit')::text from unnest(array['ward_hidden', 'ward_shown', 'guardianship_revoked', 'guardianship_accepted']) as action$$,
  'hiding, showing, revoking and accepting are logged');

-- Deleting a suspended account and signing up again.
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('sus'), 'Harassment');
delete from auth.users where id = pg_temp.id('sus');
insert into auth.users (id, email) values (pg_temp.id('sis'), 'SUS@example.com'), (pg_temp.id('suz'), 'suz@example.com');
select results_eq('select user_id, reason like ''%Harassment%'' from public.suspensions where lifted_at is null', $$values (pg_temp.id('sis'), false)$$, 'a new account with the address of a suspended one is suspended, without the reason');
update public.suspensions set lifted_at = now();
delete from auth.users where id = pg_temp.id('sis');
insert into auth.users (id, email) values (pg_temp.id('sis'), 'sus@example.com');
select is_empty('select from public.suspensions', 'after the suspension was lifted a new account is not suspended');
insert into public.suspensions (user_id, reason) values (pg_temp.id('sis'), 'Again');
delete from auth.users where id = pg_temp.id('sis');
update auth.users set email = 'sus@example.com' where id = pg_temp.id('suz');
select results_eq('select user_id from public.suspensions', $$values (pg_temp.id('suz'))$$, 'an account that changes to the suspended address is suspended');
select is_empty('select from private.suspended_addresses', 'used entries of suspended addresses are deleted');

-- A new owner of the address is released once the address is proven, by any kind of mail.
delete from auth.users where id = pg_temp.id('suz');
insert into auth.users (id, email) values (pg_temp.id('own'), 'sus@example.com');
select is((select count(*) from public.suspensions where lifted_at is null), 1::bigint, 'an account with an unproven address inherits the suspension');
update auth.users set confirmation_sent_at = now() - interval '1 minute' where id = pg_temp.id('own');
update auth.users set email_confirmed_at = now() where id = pg_temp.id('own');
select is_empty('select from public.suspensions where lifted_at is null', 'confirming the address by mail lifts the inherited suspension');
select isnt_empty($$select from public.audit_log where action = 'address_proven' and subject_id = pg_temp.id('own')::text$$, 'lifting it is logged');
insert into public.suspensions (user_id, reason) values (pg_temp.id('own'), 'Spam of their own');
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id('ose'), pg_temp.id('own'), 'aal1', now(), now());
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('ose'), 'recovery', now(), now());
select is((select reason from public.suspensions where lifted_at is null), 'Spam of their own', 'proving the address does not lift the account''s own suspension');
delete from auth.users where id = pg_temp.id('own');
update private.suspended_addresses set proven = false;
insert into auth.users (id, email, email_confirmed_at) values (pg_temp.id('own'), 'sus@example.com', now());
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id('ose'), pg_temp.id('own'), 'aal1', now(), now());
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('ose'), 'password', now(), now());
select is((select count(*) from public.suspensions where lifted_at is null), 1::bigint, 'signing in with a password does not lift it');
delete from auth.mfa_amr_claims;
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('ose'), 'recovery', now(), now());
select is_empty('select from public.suspensions where lifted_at is null', 'a link by mail lifts it');

-- Not released: the suspended account had proven the address itself, although the suspension ended its sessions.
insert into public.suspensions (user_id, reason) values (pg_temp.id('own'), 'Harassment');
delete from auth.sessions where user_id = pg_temp.id('own');
delete from auth.users where id = pg_temp.id('own');
insert into auth.users (id, email, email_confirmed_at) values (pg_temp.id('own'), 'sus@example.com', now());
insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id('ose'), pg_temp.id('own'), 'aal1', now(), now());
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('ose'), 'recovery', now(), now());
select is((select count(*) from public.suspensions where user_id = pg_temp.id('own') and lifted_at is null), 1::bigint, 'if the suspended account had proven the address, a proof does not lift the suspension');
select alike((select reason from public.suspensions where user_id = pg_temp.id('own')), '%write to us%', 'the reason says whom to write to');
delete from auth.users where id = pg_temp.id('own');
insert into auth.users (id, email, email_confirmed_at) values (pg_temp.id('own'), 'sus@example.com', now());
delete from auth.users where id = pg_temp.id('own');
insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at) values (pg_temp.id('own'), 'sus@example.com', now(), now());
select is((select count(*) from public.suspensions where user_id = pg_temp.id('own') and lifted_at is null), 1::bigint, 'an intermediate account without proof does not change that');
select pg_temp.act('adm');
select lives_ok($$select public.admin_unsuspend_user(pg_temp.id('own'), 'Another person')$$, 'an admin can lift it');
reset role;
select is_empty('select from public.suspensions where lifted_at is null', 'it stays lifted');
delete from auth.users where id = pg_temp.id('own');
insert into auth.users (id, email) values (pg_temp.id('own'), 'sus@example.com');
select is_empty('select from public.suspensions where lifted_at is null', 'the next account with the address is not suspended');

select * from finish();
rollback;

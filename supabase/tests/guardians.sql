-- Birth dates, and what changes at 13, at 18 and with a guardian.
begin;
select plan(81);
delete from auth.users;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.years_ago(years integer, days integer default 0) returns date
language sql stable
as $$ select ((now() at time zone 'utc')::date - make_interval(years => years, days => days))::date $$;
create function pg_temp.is_shown(name text) returns boolean
language sql stable security definer
as $$ select private.may_be_shown(pg_temp.id(name)) $$;
create function pg_temp.has_guardian(name text) returns boolean
language sql stable security definer
as $$ select private.has_guardian(pg_temp.id(name)) $$;
create function pg_temp.open_invitation(address text) returns uuid
language sql stable security definer
as $$ select id from public.guardianships where invited_email = address and status = 'invited' $$;
create function pg_temp.invitation(name text) returns uuid
language sql stable security definer
as $$ select id from public.guardianships where ward_id = pg_temp.id(name) order by invited_at desc, id limit 1 $$;

-- mum has confirmed her address, dad has not; kid is 11, tim 15.
insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', now(), confirmed, jsonb_build_object('full_name', name, 'role', role)
from (values ('kid', 'player', now()), ('tim', 'player', now()), ('mum', 'fan', now()), ('dad', 'fan', null), ('bro', 'fan', now()),
  ('eve', 'fan', now())) as people (name, role, confirmed);

-- Birth dates.
select pg_temp.act('kid');
select is(public.profile_visibility(), 'birth_date_missing', 'without a birth date the profile reports birth_date_missing');
select is(pg_temp.is_shown('kid'), false, 'without a birth date the profile is not shown');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(0, -2))$$, '23514', null, 'a birth date cannot be in the future');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '1899-12-31')$$, '23514', null, 'a birth date cannot be before 1900');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), '2000-01-01')$$, '42501', null, 'users cannot enter another user''s birth date');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(13, -1))$$, 'a child can enter their own birth date');
select is(public.profile_visibility(), 'guardian_missing', 'a child under 13 needs a guardian');
select is((select public_profile from public.users), false, 'a minor''s profile begins private');
select throws_ok($$update public.users set public_profile = true$$, '42501', 'Your guardian decides who sees your profile.', 'a child under 13 cannot make it public');
select is(pg_temp.is_shown('kid'), false, 'the profile of a child without a guardian is not shown');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '2000-01-01')$$, '23505', null, 'a birth date can be entered once only');
select throws_ok($$insert into public.videos (player_id, title, url) values (pg_temp.id('kid'), 'V', 'https://v.example/1')$$, '42501', null, 'without a guardian a child cannot publish videos');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '2000-01-01') on conflict (user_id) do update set birth_date = excluded.birth_date$$, '42501', null, 'an upsert cannot change a birth date');

-- Exact birthdays.
reset role;
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), pg_temp.years_ago(13));
select is(pg_temp.is_shown('tim'), true, 'on the 13th birthday the profile is shown');
update public.birth_dates set birth_date = pg_temp.years_ago(13, -1) where user_id = pg_temp.id('tim');
select is(pg_temp.is_shown('tim'), false, 'on the day before it is not shown');
select is(private.is_minor(pg_temp.id('tim')), true, 'users under 18 are minors');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('tim');
select is(private.is_minor(pg_temp.id('tim')), false, 'on the 18th birthday a user is no longer a minor');
update public.birth_dates set birth_date = pg_temp.years_ago(15) where user_id = pg_temp.id('tim');
select is(private.is_minor(pg_temp.id('mum')), true, 'users without a birth date count as minors');
insert into public.birth_dates (user_id, birth_date) values
  (pg_temp.id('bro'), pg_temp.years_ago(17)), (pg_temp.id('dad'), pg_temp.years_ago(40));

-- Invitations.
select pg_temp.act('kid');
select throws_ok($$select public.invite_guardian('nonsense')$$, 'PT400', 'That is not an e-mail address.', 'an invitation needs a valid e-mail address');
select throws_ok($$select public.invite_guardian(' KID@example.com ')$$, 'PT400', 'A guardian has an account of their own.', 'children cannot invite their own address');
select lives_ok($$select public.invite_guardian(' Mum@Example.com ')$$, 'a child can invite a guardian');
select is(public.invite_guardian('mum@example.com'), pg_temp.invitation('kid'), 'inviting the same address again returns the same invitation');
select results_eq('select status, guardian_id from public.guardianships', $$values ('invited', null::uuid)$$, 'the child sees the open invitation');
select is(pg_temp.is_shown('kid'), false, 'an open invitation does not show the profile');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'a child cannot accept their own invitation');
select pg_temp.act('eve');
select is_empty('select * from public.my_invitations()', 'others do not see the invitation');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'others cannot accept the invitation');
select pg_temp.act('mum');
select results_eq('select ward_id, ward_name from public.my_invitations()', $$values (pg_temp.id('kid'), '')$$, 'the child''s name is hidden from a guardian who may be a minor');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT400', 'Tell us your birth date first.', 'a guardian must enter a birth date first');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'before accepting, the guardian cannot read the child''s birth date');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('mum'), pg_temp.years_ago(18));
select results_eq('select ward_name from public.my_invitations()', $$values ('kid')$$, 'an adult guardian can read the child''s name');
select lives_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'an adult can accept');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'an accepted invitation cannot be accepted again');
select is(pg_temp.is_shown('kid'), false, 'accepting does not show the profile to strangers');

-- Further guardians.
select pg_temp.act('kid');
select is(public.profile_visibility(), 'guardian_decides', 'with a guardian the profile reports guardian_decides');
select lives_ok($$select public.invite_guardian('dad@example.com')$$, 'the child can invite another guardian');
select pg_temp.act('dad');
select is_empty('select * from public.my_invitations()', 'an unconfirmed address sees no invitation');
select pg_temp.act('kid');
select lives_ok($$select public.revoke_guardianship(id) from public.guardianships where status = 'invited'$$, 'an invitation can be withdrawn');
select lives_ok($$select public.invite_guardian('bro@example.com')$$, 'another invitation can be sent');
select pg_temp.act('bro');
select is_empty('select * from public.my_invitations()', 'a minor cannot read invitations, whose text may be a stranger''s');
select throws_ok($$select public.answer_invitation(pg_temp.open_invitation('bro@example.com'), true)$$, '42501', 'A guardian is an adult.', 'a minor cannot become a guardian');
select lives_ok($$select public.answer_invitation(pg_temp.open_invitation('bro@example.com'), false)$$, 'a minor can decline an invitation');
select pg_temp.act('kid');
select lives_ok($$select public.invite_guardian('a@example.com'), public.invite_guardian('b@example.com')$$, 'five invitations a day are allowed');
select throws_ok($$select public.invite_guardian('c@example.com')$$, 'PT429', null, 'the next invitation is refused');

-- What a guardian sees and may do.
select pg_temp.act('mum');
select results_eq('select ward_id, birth_date, until from public.my_wards()', $$values (pg_temp.id('kid'), pg_temp.years_ago(13, -1), (pg_temp.years_ago(13, -1) + interval '18 years')::date)$$, 'a guardian sees the ward and the end of the guardianship');
select results_eq('select user_id from public.birth_dates order by birth_date', $$values (pg_temp.id('mum')), (pg_temp.id('kid'))$$, 'a guardian can read the ward''s birth date');
select lives_ok($$insert into public.videos (player_id, title, url) values (pg_temp.id('kid'), 'V', 'https://v.example/1')$$, 'a guardian can add a video for the ward');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), false)$$, 'a guardian can hide the profile');
select is(pg_temp.is_shown('kid'), false, 'the profile is hidden');
select results_eq('select shown, hides_profile, suspended, "first", guardians from public.my_wards()', $$values (false, true, false, true, 1)$$, 'my_wards() reports that it is hidden');
select is((select count(*) from public.videos), 1::bigint, 'the guardian still sees the ward''s videos');
select throws_ok($$select public.set_ward_visibility(pg_temp.id('tim'), false)$$, '42501', null, 'a guardian cannot change other children''s visibility');
select pg_temp.act('kid');
select is(public.profile_visibility(), 'hidden_by_guardian', 'the child''s profile reports hidden_by_guardian');
select throws_ok($$update public.users set public_profile = true$$, '42501', null, 'the child cannot undo that');
select throws_ok($$select public.revoke_guardianship(id) from public.guardianships where status = 'accepted'$$, '42501', null, 'the child cannot end the guardianship');
select pg_temp.act('eve');
select is_empty($$select id from public.profiles where id = pg_temp.id('kid')$$, 'others cannot see the hidden profile');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '2000-01-01')$$, '42501', null, 'others cannot correct the birth date');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), true)$$, 'the guardian can show the profile again');
select results_eq('select shown, public_profile, audience from public.my_wards()', $$values (true, false, 'team')$$, 'it is then shown to the allowed audience only');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'family')$$, 'the guardian can narrow the audience to the family');
select results_eq('select shown, audience from public.my_wards()', $$values (false, 'family')$$, 'my_wards() reports the audience');
select throws_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'world')$$, 'PT400', null, 'an unknown audience is refused');
select throws_ok($$select public.set_ward_audience(pg_temp.id('tim'), 'team')$$, '42501', null, 'a guardian cannot set another child''s audience');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(17, 300))$$, '42501', null, 'a guardian alone cannot make a child older');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into public.audit_log (action, subject_id) values ('birth_date_cleared', pg_temp.id('kid')::text);
select pg_temp.act('mum');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(17, 300))$$, 'after an admin cleared the birth date, the guardian can enter any');
select results_eq('select shown from public.my_wards()', 'values (false)', 'the new birth date does not make the profile public');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), true)$$, 'from 13 on the guardian can make it public');
reset role;
insert into public.guardianships (ward_id, guardian_id, invited_email, status, answered_at)
values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted', now() + interval '1 minute');
select pg_temp.act('dad');
select results_eq('select shown, "first", guardians from public.my_wards()', $$values (true, false, 2)$$, 'my_wards() reports who is the first guardian');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '2000-01-01')$$, '42501', null, 'a second guardian cannot correct the birth date');
reset role;
delete from public.guardianships where guardian_id = pg_temp.id('dad');

-- Hidden until 18.
reset role;
update public.guardianships set hides_profile = true where status = 'accepted';
update public.birth_dates set birth_date = pg_temp.years_ago(18, -1) where user_id = pg_temp.id('kid');
select is(pg_temp.is_shown('kid'), false, 'a hidden profile stays hidden until the day before the 18th birthday');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('kid');
select is(pg_temp.is_shown('kid'), true, 'from the 18th birthday on it is shown');
update public.guardianships set hides_profile = false where status = 'accepted';

-- A suspended guardian, and the end of a guardianship.
update public.birth_dates set birth_date = pg_temp.years_ago(11) where user_id = pg_temp.id('kid');
insert into public.suspensions (user_id, reason) values (pg_temp.id('mum'), 'A reason');
select is(pg_temp.has_guardian('kid'), false, 'a suspended guardian does not count');
select pg_temp.act('mum');
select is_empty('select * from public.my_wards()', 'a suspended guardian has no wards');
reset role;
update public.suspensions set lifted_at = now();
select is(pg_temp.has_guardian('kid'), true, 'after the suspension the guardian counts again');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select is_empty('select * from public.my_wards()', 'at 18 the guardianship ends');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'the former guardian cannot read the birth date');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(11) where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select lives_ok($$select public.revoke_guardianship(guardianship_id) from public.my_wards()$$, 'a guardian can end the guardianship');
select is(pg_temp.has_guardian('kid'), false, 'the child has no guardian then');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'the guardian can no longer read the birth date');
reset role;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted');
select is(pg_temp.has_guardian('kid'), true, 'another guardian counts');
delete from auth.users where id = pg_temp.id('dad');
select is(pg_temp.has_guardian('kid'), false, 'a guardianship ends when the guardian''s account is deleted');

select * from finish();
rollback;

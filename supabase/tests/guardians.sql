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
select is(public.profile_visibility(), 'birth_date_missing', 'at first nothing is known');
select is(pg_temp.is_shown('kid'), false, 'and nothing shown');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(0, -2))$$, '23514', null, 'nobody is born tomorrow');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '1899-12-31')$$, '23514', null, 'or in another century');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), '2000-01-01')$$, '42501', null, 'or says it for another');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(13, -1))$$, 'a child one day short of 13 says so');
select is(public.profile_visibility(), 'guardian_missing', 'and needs a guardian');
select is((select public_profile from public.users), false, 'the profile of a minor begins private');
select throws_ok($$update public.users set public_profile = true$$, '42501', 'Your guardian decides who sees your profile.', 'and under 13 stays so');
select is(pg_temp.is_shown('kid'), false, 'to be shown');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '2000-01-01')$$, '23505', null, 'there is no second answer');
select throws_ok($$insert into public.videos (player_id, title, url) values (pg_temp.id('kid'), 'V', 'https://v.example/1')$$, '42501', null, 'until then nothing is published');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), '2000-01-01') on conflict (user_id) do update set birth_date = excluded.birth_date$$, '42501', null, 'not by an upsert either');

-- Exact birthdays.
reset role;
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), pg_temp.years_ago(13));
select is(pg_temp.is_shown('tim'), true, 'on the thirteenth birthday a profile is shown');
update public.birth_dates set birth_date = pg_temp.years_ago(13, -1) where user_id = pg_temp.id('tim');
select is(pg_temp.is_shown('tim'), false, 'the day before it is not');
select is(private.is_minor(pg_temp.id('tim')), true, 'under 18 is a minor');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('tim');
select is(private.is_minor(pg_temp.id('tim')), false, 'on the eighteenth birthday no more');
update public.birth_dates set birth_date = pg_temp.years_ago(15) where user_id = pg_temp.id('tim');
select is(private.is_minor(pg_temp.id('mum')), true, 'who has not answered counts as one');
insert into public.birth_dates (user_id, birth_date) values
  (pg_temp.id('bro'), pg_temp.years_ago(17)), (pg_temp.id('dad'), pg_temp.years_ago(40));

-- Invitations.
select pg_temp.act('kid');
select throws_ok($$select public.invite_guardian('nonsense')$$, 'PT400', 'That is not an e-mail address.', 'an address is one');
select throws_ok($$select public.invite_guardian(' KID@example.com ')$$, 'PT400', 'A guardian has an account of their own.', 'nobody is their own guardian');
select lives_ok($$select public.invite_guardian(' Mum@Example.com ')$$, 'kid invites mum');
select is(public.invite_guardian('mum@example.com'), pg_temp.invitation('kid'), 'twice is once');
select results_eq('select status, guardian_id from public.guardianships', $$values ('invited', null::uuid)$$, 'and sees that it is open');
select is(pg_temp.is_shown('kid'), false, 'an invitation shows nobody');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'kid does not accept it');
select pg_temp.act('eve');
select is_empty('select * from public.my_invitations()', 'eve was not invited');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'and does not accept it');
select pg_temp.act('mum');
select results_eq('select ward_id, ward_name from public.my_invitations()', $$values (pg_temp.id('kid'), '')$$, 'mum is; the name is not shown to someone who may be a minor');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT400', 'Tell us your birth date first.', 'and is asked her age');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'she sees nothing of kid before');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('mum'), pg_temp.years_ago(18));
select results_eq('select ward_name from public.my_invitations()', $$values ('kid')$$, 'an adult reads the name');
select lives_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'grown up she accepts');
select throws_ok($$select public.answer_invitation(pg_temp.invitation('kid'), true)$$, 'PT404', null, 'once');
select is(pg_temp.is_shown('kid'), false, 'which shows the profile to no stranger');

-- Further guardians.
select pg_temp.act('kid');
select is(public.profile_visibility(), 'guardian_decides', 'the guardian decides who sees it');
select lives_ok($$select public.invite_guardian('dad@example.com')$$, 'kid invites dad, too');
select pg_temp.act('dad');
select is_empty('select * from public.my_invitations()', 'whose address is not confirmed');
select pg_temp.act('kid');
select lives_ok($$select public.revoke_guardianship(id) from public.guardianships where status = 'invited'$$, 'an invitation can be withdrawn');
select lives_ok($$select public.invite_guardian('bro@example.com')$$, 'and another be sent');
select pg_temp.act('bro');
select is_empty('select * from public.my_invitations()', 'a brother of 17 reads no invitation, whose text a stranger may have written');
select throws_ok($$select public.answer_invitation(pg_temp.open_invitation('bro@example.com'), true)$$, '42501', 'A guardian is an adult.', 'and is no guardian');
select lives_ok($$select public.answer_invitation(pg_temp.open_invitation('bro@example.com'), false)$$, 'but can decline');
select pg_temp.act('kid');
select lives_ok($$select public.invite_guardian('a@example.com'), public.invite_guardian('b@example.com')$$, 'five a day');
select throws_ok($$select public.invite_guardian('c@example.com')$$, 'PT429', null, 'are enough');

-- What a guardian sees and may do.
select pg_temp.act('mum');
select results_eq('select ward_id, birth_date, until from public.my_wards()', $$values (pg_temp.id('kid'), pg_temp.years_ago(13, -1), (pg_temp.years_ago(13, -1) + interval '18 years')::date)$$, 'mum sees kid, and until when');
select results_eq('select user_id from public.birth_dates order by birth_date', $$values (pg_temp.id('mum')), (pg_temp.id('kid'))$$, 'and the birth date');
select lives_ok($$insert into public.videos (player_id, title, url) values (pg_temp.id('kid'), 'V', 'https://v.example/1')$$, 'she adds a video');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), false)$$, 'she hides the profile');
select is(pg_temp.is_shown('kid'), false, 'so it is hidden');
select results_eq('select shown, hides_profile, suspended, "first", guardians from public.my_wards()', $$values (false, true, false, true, 1)$$, 'and she is told so');
select is((select count(*) from public.videos), 1::bigint, 'not from her');
select throws_ok($$select public.set_ward_visibility(pg_temp.id('tim'), false)$$, '42501', null, 'tim is not her ward');
select pg_temp.act('kid');
select is(public.profile_visibility(), 'hidden_by_guardian', 'kid is told so, too');
select throws_ok($$update public.users set public_profile = true$$, '42501', null, 'and cannot undo that');
select throws_ok($$select public.revoke_guardianship(id) from public.guardianships where status = 'accepted'$$, '42501', null, 'or be rid of her');
select pg_temp.act('eve');
select is_empty($$select id from public.profiles where id = pg_temp.id('kid')$$, 'others do not see it');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '2000-01-01')$$, '42501', null, 'or touch it');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), true)$$, 'mum shows it again');
select results_eq('select shown, public_profile, audience from public.my_wards()', $$values (true, false, 'team')$$, 'so those see it whom she allows, and no public list');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'family')$$, 'she narrows that to the family');
select results_eq('select shown, audience from public.my_wards()', $$values (false, 'family')$$, 'and is told so');
select throws_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'world')$$, 'PT400', null, 'the world is no choice');
select throws_ok($$select public.set_ward_audience(pg_temp.id('tim'), 'team')$$, '42501', null, 'nor is tim her ward');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(17, 300))$$, '42501', null, 'she alone makes kid no older');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into public.audit_log (action, subject_id) values ('birth_date_cleared', pg_temp.id('kid')::text);
select pg_temp.act('mum');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(17, 300))$$, 'but after an admin cleared the birth date');
select results_eq('select shown from public.my_wards()', 'values (false)', 'which alone makes nobody public');
select lives_ok($$select public.set_ward_visibility(pg_temp.id('kid'), true)$$, 'she does, from 13 on');
reset role;
insert into public.guardianships (ward_id, guardian_id, invited_email, status, answered_at)
values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted', now() + interval '1 minute');
select pg_temp.act('dad');
select results_eq('select shown, "first", guardians from public.my_wards()', $$values (true, false, 2)$$, 'a second guardian is the second');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '2000-01-01')$$, '42501', null, 'and leaves that to the first');
reset role;
delete from public.guardianships where guardian_id = pg_temp.id('dad');

-- Hidden until 18.
reset role;
update public.guardianships set hides_profile = true where status = 'accepted';
update public.birth_dates set birth_date = pg_temp.years_ago(18, -1) where user_id = pg_temp.id('kid');
select is(pg_temp.is_shown('kid'), false, 'hidden is hidden to the day before the eighteenth birthday');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('kid');
select is(pg_temp.is_shown('kid'), true, 'and from then on nobody hides an adult');
update public.guardianships set hides_profile = false where status = 'accepted';

-- A suspended guardian, and the end of a guardianship.
update public.birth_dates set birth_date = pg_temp.years_ago(11) where user_id = pg_temp.id('kid');
insert into public.suspensions (user_id, reason) values (pg_temp.id('mum'), 'A reason');
select is(pg_temp.has_guardian('kid'), false, 'a suspended guardian answers for nobody');
select pg_temp.act('mum');
select is_empty('select * from public.my_wards()', 'and has no wards');
reset role;
update public.suspensions set lifted_at = now();
select is(pg_temp.has_guardian('kid'), true, 'until it is lifted');
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select is_empty('select * from public.my_wards()', 'at 18 the guardianship ends by itself');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'with the birth date out of her sight');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(11) where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select lives_ok($$select public.revoke_guardianship(guardianship_id) from public.my_wards()$$, 'a guardian can end it');
select is(pg_temp.has_guardian('kid'), false, 'then nobody answers for the child');
select is_empty($$select from public.birth_dates where user_id = pg_temp.id('kid')$$, 'also of hers');
reset role;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted');
select is(pg_temp.has_guardian('kid'), true, 'another guardian will do');
delete from auth.users where id = pg_temp.id('dad');
select is(pg_temp.has_guardian('kid'), false, 'whose account ends, and with it this');

select * from finish();
rollback;

-- Minors: who finds them, deleting an account and signing up again, and who sees which of their data.
begin;
select plan(112);
delete from auth.users;
delete from public.teams;
delete from private.minor_addresses;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case name when 'anon' then '{"role": "anon"}' else jsonb_build_object(
    'sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal1', 'session_id', pg_temp.id(name))::text end, true);
  perform set_config('role', case name when 'anon' then 'anon' else 'authenticated' end, true);
end
$$;
create function pg_temp.years_ago(years integer, days integer default 0) returns date
language sql stable
as $$ select ((now() at time zone 'utc')::date - make_interval(years => years, days => days))::date $$;
create function pg_temp.sign_up(person text, what text, age integer, address text default null, proven boolean default true) returns void
language sql
as $$
  insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at, raw_user_meta_data)
  values (pg_temp.id(person), coalesce(address, person || '@example.com'), case when proven then now() end, now(), jsonb_build_object('full_name', person, 'role', what));
  insert into auth.sessions (id, user_id, aal, created_at, updated_at) values (pg_temp.id(person), pg_temp.id(person), 'aal1', now(), now());
  insert into public.birth_dates (user_id, birth_date) select pg_temp.id(person), pg_temp.years_ago(age) where age is not null;
$$;
-- The test users who see rows of a query.
create function pg_temp.who_sees(question text) returns text
language plpgsql
as $$
declare
  name text;
  found boolean;
  seers text := '';
begin
  foreach name in array array['anon', 'kid', 'mum', 'pal', 'dad', 'ann', 'cam', 'cob', 'ver', 'raw', 'sam', 'fay', 'adm'] loop
    perform pg_temp.act(name);
    execute format('select exists (%s)', question) into found;
    if found then
      seers := seers || ' ' || name;
    end if;
    perform set_config('role', 'none', true);
  end loop;
  return btrim(seers);
end
$$;

-- The same for requests that name the person whose page they are for.
create function pg_temp.who_opens(person text, question text) returns text
language plpgsql
as $$
declare
  seers text;
begin
  perform set_config('request.headers', jsonb_build_object('x-opened-profile', pg_temp.id(person))::text, true);
  seers := pg_temp.who_sees(question);
  perform set_config('request.headers', '{}', true);
  return seers;
end
$$;

-- kid is 12 and pal 10, wards of mum and dad. ann is an adult who plays in their team; cam is its verified coach, cob
-- its other one. ver and raw coach elsewhere, verified and not. sam is a verified scout, fay a fan, tim 15 without a
-- guardian.
select pg_temp.sign_up(person, what, age) from (values ('kid', 'player', 12), ('pal', 'player', 10), ('ann', 'player', 20), ('tim', 'player', 15),
  ('mum', 'fan', 40), ('dad', 'fan', 40), ('cam', 'coach', 40), ('cob', 'coach', 40), ('ver', 'coach', 40), ('raw', 'coach', 40), ('sam', 'scout', 40),
  ('fay', 'fan', 40), ('adm', 'fan', 40)) as people (person, what, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values
  (pg_temp.id('kid'), pg_temp.id('mum'), 'mum@example.com', 'accepted'), (pg_temp.id('pal'), pg_temp.id('dad'), 'dad@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam')), (pg_temp.id('ver'));
update public.scouts set verified_at = now();
insert into public.teams (id, name, created_by) values (pg_temp.id('tea'), 'Owls', pg_temp.id('cam'));
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.id('tea'), pg_temp.id(name), case when name like 'c%' then 'coach' else 'player' end, 'active' from unnest(array['kid', 'pal', 'ann', 'cam', 'cob']) as name;
insert into public.player_academics (user_id, school, gpa) select user_id, 'North', 3.5 from public.players;
insert into public.measurements (player_id, kind, value, source) select user_id, 'bat_speed', 60, 'self' from public.players;

-- Under 13: the family, the verified coach of the team, admins, and those whom the guardian allows.
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'by default the family, team mates under 18, their families and the verified coach see the profile');
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid') and public_profile$$), '', 'the profile is in no public list');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'family')$$, 'the guardian can narrow the audience to the family');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum cam', 'then the family and the verified coach see it');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'verified')$$, 'the guardian can widen the audience to verified users');
reset role;
select is(pg_temp.who_opens('kid', $$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam ver sam', 'then verified coaches and scouts can open the page');
select is(pg_temp.who_opens('kid', $$select from public.measurements where player_id = pg_temp.id('kid')$$), 'kid mum pal dad cam ver sam', 'they can also read its measurements');
-- They open a page whose address they have, and list nobody.
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'without opening the page they do not find the child');
select is(pg_temp.who_sees($$select from public.players as p join public.measurements as m on m.player_id = p.user_id where p.user_id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'joins over the page''s tables do not find the child');
select is(pg_temp.who_opens('tim', $$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'a request for another page does not show the child');
select is(pg_temp.who_opens('kid', $$select from public.profiles where id = pg_temp.id('pal')$$), 'kid mum pal dad cam', 'a request for the child''s page does not show another child');
select is(pg_temp.who_opens('pal', $$select from public.profiles where id = pg_temp.id('pal')$$), 'kid mum pal dad cam', 'a child whose guardian did not allow it cannot be opened');
select pg_temp.act('ver');
select set_config('request.headers', jsonb_build_object('x-opened-profile', pg_temp.id('kid'))::text, true);
select throws_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('ver'), pg_temp.id('kid')), '42501', 'Players under 13 are in no list.', 'users who may only open the page cannot follow the child');
select pg_temp.act('fay');
select throws_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('fay'), pg_temp.id('kid')), '42501', 'new row violates row-level security policy for table "follows"', 'the refusal for strangers does not reveal the child');
select set_config('request.headers', '{}', true);
select pg_temp.act('cam');
select lives_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('cam'), pg_temp.id('kid')), 'the coach of the team can follow the child');
reset role;
select set_config('request.headers', '{"x-opened-profile": "x'') or true --"}', true);
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'an invalid header opens nothing');
select set_config('request.headers', '{}', true);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, answered_at) values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted', now());
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'of two guardians the stricter choice applies');
update public.guardianships set hides_profile = true where guardian_id = pg_temp.id('dad') and ward_id = pg_temp.id('kid');
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum dad cam', 'either guardian can hide the profile');
delete from public.guardianships where guardian_id = pg_temp.id('dad') and ward_id = pg_temp.id('kid');
select is(pg_temp.who_sees($$select from public.team_members where user_id = pg_temp.id('kid') and status = 'active'$$), 'kid mum pal dad cam', 'memberships are visible only to those who see the profile');

select pg_temp.act('ann');
select results_eq('select user_id from public.team_members order by 1', $$select pg_temp.id(name) from unnest(array['ann', 'cam', 'cob']) as name order by 1$$, 'adults on the team do not see the children on the roster');
select pg_temp.act('pal');
select is((select count(*) from public.team_members), 5::bigint, 'team mates under 18 see the whole roster');
select pg_temp.act('dad');
select is((select count(*) from public.team_members), 5::bigint, 'their guardians see the whole roster');
reset role;

-- An unverified coach cannot add anyone to a vetted team, which may have minors.
delete from public.team_members where user_id = pg_temp.id('ann');
select pg_temp.act('cob');
select throws_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('ann'))$$, '42501', 'Only verified coaches invite to this team.', 'an unverified coach cannot invite an adult to a vetted team');
select pg_temp.act('ann');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('raw');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('ann'))$$, '42501', null, 'an unverified coach cannot accept an adult');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('raw'))$$, '42501', null, 'an unverified coach cannot accept another coach');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('ann'))$$, 'the verified coach can accept an adult');
reset role;
delete from public.team_members where user_id = pg_temp.id('raw');

-- From 13 on: what the guardian or the player has enabled.
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('tim')$$), '', 'the profile of a player of 15 begins private');
select pg_temp.act('tim');
select is(public.profile_visibility(), 'private', 'the player''s profile reports private');
select lives_ok($$update public.users set public_profile = true$$, 'the player can make it public');
select is(public.profile_visibility(), 'visible', 'the profile then reports visible');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('tim') and public_profile$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'everyone sees it then');
update public.users set public_profile = true where full_name = 'raw';
select is((select public_profile from public.users where full_name = 'raw'), true, 'profiles of adults are public by default');

-- School and GPA.
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'cam ver sam', 'a minor''s school and GPA are visible to verified coaches and scouts');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('kid')$$), 'kid mum cam', 'a child''s are visible to the family and the team''s verified coach');
select is(pg_temp.who_opens('kid', $$select from public.player_academics where user_id = pg_temp.id('kid')$$), 'kid mum cam ver sam', 'those who may open the child''s page can read them there');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('ann')$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'an adult''s are visible to everyone');
update public.scouts set verified_at = null;
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'cam ver', 'an unverified scout cannot read them');
select pg_temp.act('tim');
select results_eq('select school, gpa from public.player_academics where user_id = pg_temp.id(''tim'')', $$values ('North'::text, 3.5)$$, 'players can read their own');
select lives_ok($$insert into public.player_academics (user_id, school, gpa) values (pg_temp.id('tim'), 'South', 4) on conflict (user_id) do update set user_id = excluded.user_id, school = excluded.school, gpa = excluded.gpa$$, 'players can write their own');
select throws_ok($$insert into public.player_academics (user_id, school) values (pg_temp.id('ann'), 'X') on conflict (user_id) do update set school = excluded.school$$, '42501', null, 'players cannot write others''');
select throws_ok('select adult_on from public.player_academics', '42501', null, 'the column derived from the birth date cannot be read');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('tim');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'at 18 they become as public as the profile');
delete from public.birth_dates where user_id = pg_temp.id('tim');
insert into public.player_academics (user_id, school) values (pg_temp.id('tim'), 'North') on conflict do nothing;
select is((select adult_on from public.player_academics where user_id = pg_temp.id('tim')), 'infinity', 'a player without a birth date counts as a minor');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), pg_temp.years_ago(15));
select is((select public_profile from public.users where full_name = 'tim'), false, 'entering a minor''s birth date makes the profile private again');

-- A child's second account is no way to grow up.
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(12, 1))$$, '42501', null, 'a guardian cannot make a child a day older');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, '42501', null, 'a guardian cannot make a child 13');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '1990-01-01')$$, '42501', null, 'a guardian cannot make a child an adult');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(5))$$, 'a guardian can make a child younger');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(12))$$, 'a guardian can restore the first birth date');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(18))$$, '42501', null, 'a ward without a birth date cannot be made an adult');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(11))$$, 'a guardian can enter a minor''s birth date');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into private.minor_addresses values (private.address_hash('kid@example.com'), pg_temp.years_ago(12), private.today() + 1, true);
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, '42501', null, 'the birth date of an earlier account also limits the guardian');
reset role;
insert into public.audit_log (actor_id, action, subject_id) values (pg_temp.id('adm'), 'birth_date_cleared', pg_temp.id('kid')::text);
select pg_temp.act('mum');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, 'after an admin cleared it, the guardian can enter any birth date');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(14))$$, '42501', null, 'the guardian can do so once');
reset role;
select is((select count(*) from public.audit_log where action = 'birth_date_corrected'), 4::bigint, 'all corrections are logged');
delete from private.minor_addresses;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(12));

-- A child deletes the account and signs up again as an adult.
select pg_temp.act('kid');
select throws_ok('select public.delete_account()', '42501', 'Your guardian deletes this account.', 'a ward cannot delete the account');
select throws_ok($$select public.delete_account(pg_temp.id('kid'))$$, '42501', 'Your guardian deletes this account.', 'a ward cannot delete the account by id');
select pg_temp.act('mum');
select lives_ok($$select public.delete_account(pg_temp.id('kid'))$$, 'the guardian can delete it');
reset role;
select is((select count(*) from private.minor_addresses), 1::bigint, 'the address is remembered');
select isnt_empty($$select from private.minor_addresses where birth_date = pg_temp.years_ago(12) and adult_on = (pg_temp.years_ago(12) + interval '18 years')::date$$, 'it is remembered with the birth date, until the 18th birthday');
select is_empty($$select from private.minor_addresses where address in (sha256('kid@example.com'), 'kid@example.com'::bytea)$$, 'it is stored as a keyed hash');
select is_empty($$select role, relation from unnest(array['anon', 'authenticated', 'service_role', 'authenticator']) as role, unnest(array['private.keys', 'private.minor_addresses']) as relation
  where has_table_privilege(role, relation, 'select, insert, update, delete') or has_any_column_privilege(role, relation, 'select')$$, 'the API''s roles cannot read the key or the addresses');
select is_empty($$select role, p.oid::regprocedure from unnest(array['anon', 'authenticated', 'service_role']) as role, pg_proc as p
  where p.pronamespace = 'private'::regnamespace and p.proname in ('keyed_address', 'address_hash') and has_function_privilege(role, p.oid, 'execute')$$, 'the API''s roles cannot call the functions that use the key');
select pg_temp.sign_up('new', 'player', null, 'Kid@Example.com');
select pg_temp.act('new');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('new'), '1990-01-01')$$, 'PT409', null, 'a new account with the address cannot enter another birth date');
select is(public.profile_visibility(), 'birth_date_missing', 'its profile reports birth_date_missing');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('new'), pg_temp.years_ago(12))$$, 'it can enter the same birth date');
select is(public.profile_visibility(), 'guardian_missing', 'it needs a guardian');
select lives_ok($$select public.delete_account()$$, 'a child without a guardian can delete the account');
reset role;
select pg_temp.sign_up('eve', 'fan', null, 'kid@example.com', false);
select pg_temp.act('eve');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('eve'), pg_temp.years_ago(12))$$, 'PT409', null, 'an account with an unproven address cannot probe for the birth date');
reset role;
delete from auth.users where id = pg_temp.id('eve');
update auth.users set email = 'other@example.com' where id = pg_temp.id('pal');
select is((select count(*) from private.minor_addresses), 2::bigint, 'the former address of a minor is remembered');
delete from auth.users where id in (pg_temp.id('ann'), pg_temp.id('fay'));
select is((select count(*) from private.minor_addresses), 2::bigint, 'the addresses of adults are not remembered');
update private.minor_addresses set adult_on = private.today();
select pg_temp.sign_up('old', 'player', null, 'kid@example.com');
select is_empty('select from private.minor_addresses', 'entries are deleted on the 18th birthday');
select pg_temp.act('old');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('old'), '1990-01-01')$$, 'the address is then free of limits');
reset role;
insert into private.minor_addresses values ('x', '2000-01-01', private.today(), false);
insert into public.user_sessions (user_id, device_type) values (pg_temp.id('old'), 'Mobile');
select is_empty('select from private.minor_addresses', 'any write of that day deletes expired entries');

-- Entries of proven and of unproven addresses.
create function pg_temp.remembered(address text) returns text
language sql security definer
as $$ select birth_date || ' ' || proven from private.minor_addresses as m where m.address = private.address_hash(remembered.address) $$;
select pg_temp.sign_up('bad', 'player', 0, 'vic@example.com', false);
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' false', 'an address that the child did not prove is remembered as unproven');
select pg_temp.sign_up('vic', 'player', null, 'vic@example.com', false);
select pg_temp.act('vic');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), '1990-01-01')$$, 'PT409', null, 'an unproven entry applies to accounts that did not prove the address');
reset role;
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('vic'), 'recovery', now(), now());
select pg_temp.act('vic');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), '1990-01-01')$$, 'PT409', null, 'it also applies to an account that proves the address later');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), pg_temp.years_ago(0))$$, 'such an account can only repeat the birth date');
reset role;
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' false', 'the entry is unchanged');
delete from auth.sessions;
delete from auth.users where id = pg_temp.id('vic');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' true', 'a proof is kept after its session has ended');
select pg_temp.sign_up('bad', 'player', null, 'vic@example.com', false);
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('bad'), pg_temp.years_ago(1));
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' true', 'an unproven account does not overwrite a proven entry');
select pg_temp.sign_up('bad', 'player', 9, 'wee@example.com', false);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('bad'), pg_temp.id('mum'), 'mum@example.com', 'accepted');
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('wee@example.com'), pg_temp.years_ago(9) || ' true', 'a guardian''s acceptance counts as proof');
select pg_temp.act('mum');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', 'The wrong person')$$, '42501', 'Only admins may do this.', 'only admins can remove an entry');
reset role;
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
select pg_temp.act('adm');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', 'The wrong person')$$, 'PT403', null, 'admins need their second factor for it');
select set_config('request.jwt.claims', jsonb_set(current_setting('request.jwt.claims')::jsonb, '{aal}', '"aal2"')::text, true);
select throws_ok($$select public.admin_forget_minor_address('nobody@example.com', 'The wrong person')$$, 'PT404', null, 'a missing entry is reported');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', '')$$, 'PT400', null, 'a reason is required');
select lives_ok($$select public.admin_forget_minor_address(' VIC@example.com', 'The wrong person')$$, 'an admin can remove an entry');
reset role;
select is(pg_temp.remembered('vic@example.com'), null, 'the entry is deleted');
select is((select count(*) from public.audit_log where action = 'minor_address_forgotten' and subject_id !~ '@'), 1::bigint, 'the removal is logged without the address');
delete from public.audit_log where action = 'minor_address_forgotten';
update public.users set is_admin = false where full_name = 'adm';
delete from auth.mfa_factors;

-- Memberships of wards.
delete from public.team_members where role = 'player';
select pg_temp.sign_up('kit', 'player', 12);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('mum'), 'mum@example.com', 'accepted');
insert into public.player_academics (user_id, school, gpa) values (pg_temp.id('kit'), 'North', 3.5);
update public.users set public_profile = true where full_name = 'tim';
create function pg_temp.standing(name text) returns text
language sql security definer
as $$ select status || case when approved_at is not null then ' approved' else '' end from public.team_members where user_id = pg_temp.id(name) $$;
select pg_temp.act('kit');
select lives_ok($$select public.ask_to_join(pg_temp.id('tea'))$$, 'a ward can ask to join a team');
select pg_temp.act('cam');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'the coach does not see an unapproved request');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', null, 'the coach cannot accept it');
select throws_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'PT404', 'There is no such profile.', 'the coach cannot invite the child instead');
select pg_temp.act('kit');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', 'Your guardian answers this invitation.', 'the ward cannot approve it');
select pg_temp.act('mum');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the guardian can approve it');
select is(pg_temp.standing('kit'), 'asked approved', 'the request is then approved');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kit')$$), 'mum cam', 'the coach then sees the child');
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', null, 'an unverified coach cannot accept it');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'an unverified coach does not see it');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the verified coach can accept it');
select is(pg_temp.standing('kit'), 'active approved', 'the ward is a member then');
select isnt_empty($$select from public.player_academics where user_id = pg_temp.id('kit')$$, 'the coach can then read school and GPA');
reset role;
update public.team_members set status = 'invited', approved_at = null where user_id = pg_temp.id('kit');
select pg_temp.act('kit');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', 'Your guardian answers this invitation.', 'a ward cannot accept an invitation');
select pg_temp.act('mum');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the guardian can accept it');
select is(pg_temp.standing('kit'), 'active approved', 'the guardian''s acceptance is sufficient');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select pg_temp.act('kit');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('mum');
select public.set_ward_audience(pg_temp.id('kit'), 'verified');
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'a coach can invite a child whose request is open');
select is(pg_temp.standing('kit'), 'invited', 'the invitation still needs the guardian');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('cam'), 'cam@example.com', 'accepted');
select pg_temp.act('kit');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'a guardian who coaches the team accepts once');
select is(pg_temp.standing('kit'), 'active approved', 'this both approves and accepts');
select pg_temp.act('tim');
select lives_ok($$select public.ask_to_join(pg_temp.id('tea'))$$, 'from 13 on a player without a guardian can ask to join');
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('tim'))$$, '42501', null, 'an unverified coach cannot accept a minor');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('tim'))$$, 'a verified coach can accept a minor');

select * from finish();
rollback;

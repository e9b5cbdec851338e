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
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'team mates under 18 and their families open the page; a grown-up team mate and the unverified coach do not');
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid') and public_profile$$), '', 'and no list of public profiles has it');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'family')$$, 'the guardian narrows it');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum cam', 'to the family and the coach');
select pg_temp.act('mum');
select lives_ok($$select public.set_ward_audience(pg_temp.id('kid'), 'verified')$$, 'or widens it');
reset role;
select is(pg_temp.who_opens('kid', $$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam ver sam', 'to verified coaches and scouts');
select is(pg_temp.who_opens('kid', $$select from public.measurements where player_id = pg_temp.id('kid')$$), 'kid mum pal dad cam ver sam', 'and the numbers with it');
-- They open a page whose address they have, and list nobody.
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'in lists only the family, the team and its verified coach find a child');
select is(pg_temp.who_sees($$select from public.players as p join public.measurements as m on m.player_id = p.user_id where p.user_id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'of the tables of a page, too');
select is(pg_temp.who_opens('tim', $$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'a request for the page of somebody else shows no child');
select is(pg_temp.who_opens('kid', $$select from public.profiles where id = pg_temp.id('pal')$$), 'kid mum pal dad cam', 'and one for the page of a child no other');
select is(pg_temp.who_opens('pal', $$select from public.profiles where id = pg_temp.id('pal')$$), 'kid mum pal dad cam', 'whose guardian did not allow it');
select pg_temp.act('ver');
select set_config('request.headers', jsonb_build_object('x-opened-profile', pg_temp.id('kid'))::text, true);
select throws_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('ver'), pg_temp.id('kid')), '42501', 'Players under 13 are in no list.', 'who may open the page of a child does not follow it');
select pg_temp.act('fay');
select throws_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('fay'), pg_temp.id('kid')), '42501', 'new row violates row-level security policy for table "follows"', 'a stranger is told nothing');
select set_config('request.headers', '{}', true);
select pg_temp.act('cam');
select lives_ok(format('insert into public.follows (follower_id, followed_id) values (%L, %L)', pg_temp.id('cam'), pg_temp.id('kid')), 'the coach of the team does');
reset role;
select set_config('request.headers', '{"x-opened-profile": "x'') or true --"}', true);
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'what is no id names nobody');
select set_config('request.headers', '{}', true);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, answered_at) values (pg_temp.id('kid'), pg_temp.id('dad'), 'dad@example.com', 'accepted', now());
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum pal dad cam', 'of two guardians the stricter decides');
update public.guardianships set hides_profile = true where guardian_id = pg_temp.id('dad') and ward_id = pg_temp.id('kid');
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kid')$$), 'kid mum dad cam', 'and either hides it');
delete from public.guardianships where guardian_id = pg_temp.id('dad') and ward_id = pg_temp.id('kid');
select is(pg_temp.who_sees($$select from public.team_members where user_id = pg_temp.id('kid') and status = 'active'$$), 'kid mum pal dad cam', 'who cannot open the page does not find it by the team');

select pg_temp.act('ann');
select results_eq('select user_id from public.team_members order by 1', $$select pg_temp.id(name) from unnest(array['ann', 'cam', 'cob']) as name order by 1$$, 'nor does a grown-up read the children on the roster');
select pg_temp.act('pal');
select is((select count(*) from public.team_members), 5::bigint, 'who read it all');
select pg_temp.act('dad');
select is((select count(*) from public.team_members), 5::bigint, 'as their guardians do');
reset role;

-- An unverified coach cannot add anyone to a vetted team, which may have minors.
delete from public.team_members where user_id = pg_temp.id('ann');
select pg_temp.act('cob');
select throws_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('ann'))$$, '42501', 'Only verified coaches invite to this team.', 'no grown-up player is invited by one');
select pg_temp.act('ann');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('raw');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('ann'))$$, '42501', null, 'or accepted');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('raw'))$$, '42501', null, 'and no other coach');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('ann'))$$, 'the verified coach does');
reset role;
delete from public.team_members where user_id = pg_temp.id('raw');

-- From 13 on: what the guardian or the player has enabled.
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('tim')$$), '', 'a profile of 15 years begins out of every list');
select pg_temp.act('tim');
select is(public.profile_visibility(), 'private', 'and the player is told so');
select lives_ok($$update public.users set public_profile = true$$, 'who switches it on');
select is(public.profile_visibility(), 'visible', 'and is');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('tim') and public_profile$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'for everybody');
update public.users set public_profile = true where full_name = 'raw';
select is((select public_profile from public.users where full_name = 'raw'), true, 'grown-ups are public from the start');

-- School and GPA.
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'cam ver sam', 'school and GPA of a minor are for verified coaches and scouts');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('kid')$$), 'kid mum cam', 'the family, and the team''s coach');
select is(pg_temp.who_opens('kid', $$select from public.player_academics where user_id = pg_temp.id('kid')$$), 'kid mum cam ver sam', 'and of a child whose page one may open');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('ann')$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'those of grown-ups stand on their page');
update public.scouts set verified_at = null;
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'cam ver', 'a scout who is not verified reads none');
select pg_temp.act('tim');
select results_eq('select school, gpa from public.player_academics where user_id = pg_temp.id(''tim'')', $$values ('North'::text, 3.5)$$, 'their owner does');
select lives_ok($$insert into public.player_academics (user_id, school, gpa) values (pg_temp.id('tim'), 'South', 4) on conflict (user_id) do update set user_id = excluded.user_id, school = excluded.school, gpa = excluded.gpa$$, 'and writes');
select throws_ok($$insert into public.player_academics (user_id, school) values (pg_temp.id('ann'), 'X') on conflict (user_id) do update set school = excluded.school$$, '42501', null, 'no other''s');
select throws_ok('select adult_on from public.player_academics', '42501', null, 'the birth date shows through nowhere');
reset role;
update public.birth_dates set birth_date = pg_temp.years_ago(18) where user_id = pg_temp.id('tim');
select is(pg_temp.who_sees($$select from public.player_academics where user_id = pg_temp.id('tim')$$), 'anon kid mum pal dad ann cam cob ver raw sam fay adm', 'at 18 they are as public as the profile');
delete from public.birth_dates where user_id = pg_temp.id('tim');
insert into public.player_academics (user_id, school) values (pg_temp.id('tim'), 'North') on conflict do nothing;
select is((select adult_on from public.player_academics where user_id = pg_temp.id('tim')), 'infinity', 'whose birth date is unknown counts as a minor');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tim'), pg_temp.years_ago(15));
select is((select public_profile from public.users where full_name = 'tim'), false, 'a minor''s answer makes the profile private again');

-- A child's second account is no way to grow up.
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(12, 1))$$, '42501', null, 'a guardian makes nobody older');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, '42501', null, 'and so not 13');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), '1990-01-01')$$, '42501', null, 'or an adult');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(5))$$, 'but younger');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(12))$$, 'and back to what was told first');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(18))$$, '42501', null, 'a ward who told nothing is a minor');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(11))$$, 'as the first answer says');
reset role;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into private.minor_addresses values (private.address_hash('kid@example.com'), pg_temp.years_ago(12), private.today() + 1, true);
select pg_temp.act('mum');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, '42501', null, 'what an earlier account told counts for guardians, too');
reset role;
insert into public.audit_log (actor_id, action, subject_id) values (pg_temp.id('adm'), 'birth_date_cleared', pg_temp.id('kid')::text);
select pg_temp.act('mum');
select lives_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(13))$$, 'after an admin cleared the answer the guardian gives any');
select throws_ok($$select public.correct_birth_date(pg_temp.id('kid'), pg_temp.years_ago(14))$$, '42501', null, 'once');
reset role;
select is((select count(*) from public.audit_log where action = 'birth_date_corrected'), 4::bigint, 'all of which stands in the log');
delete from private.minor_addresses;
delete from public.birth_dates where user_id = pg_temp.id('kid');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('kid'), pg_temp.years_ago(12));

-- A child deletes the account and signs up again as an adult.
select pg_temp.act('kid');
select throws_ok('select public.delete_account()', '42501', 'Your guardian deletes this account.', 'a ward does not delete the account');
select throws_ok($$select public.delete_account(pg_temp.id('kid'))$$, '42501', 'Your guardian deletes this account.', 'by no name');
select pg_temp.act('mum');
select lives_ok($$select public.delete_account(pg_temp.id('kid'))$$, 'the guardian does');
reset role;
select is((select count(*) from private.minor_addresses), 1::bigint, 'which is remembered');
select isnt_empty($$select from private.minor_addresses where birth_date = pg_temp.years_ago(12) and adult_on = (pg_temp.years_ago(12) + interval '18 years')::date$$, 'with the birth date, until 18');
select is_empty($$select from private.minor_addresses where address in (sha256('kid@example.com'), 'kid@example.com'::bytea)$$, 'under no hash that could be guessed');
select is_empty($$select role, relation from unnest(array['anon', 'authenticated', 'service_role', 'authenticator']) as role, unnest(array['private.keys', 'private.minor_addresses']) as relation
  where has_table_privilege(role, relation, 'select, insert, update, delete') or has_any_column_privilege(role, relation, 'select')$$, 'whose key no role of the API reads');
select is_empty($$select role, p.oid::regprocedure from unnest(array['anon', 'authenticated', 'service_role']) as role, pg_proc as p
  where p.pronamespace = 'private'::regnamespace and p.proname in ('keyed_address', 'address_hash') and has_function_privilege(role, p.oid, 'execute')$$, 'or uses');
select pg_temp.sign_up('new', 'player', null, 'Kid@Example.com');
select pg_temp.act('new');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('new'), '1990-01-01')$$, 'PT409', null, 'the same address gives no other birth date');
select is(public.profile_visibility(), 'birth_date_missing', 'and is nobody grown up');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('new'), pg_temp.years_ago(12))$$, 'only the one it gave');
select is(public.profile_visibility(), 'guardian_missing', 'which makes a child of the new account, too');
select lives_ok($$select public.delete_account()$$, 'a child without a guardian may leave');
reset role;
select pg_temp.sign_up('eve', 'fan', null, 'kid@example.com', false);
select pg_temp.act('eve');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('eve'), pg_temp.years_ago(12))$$, 'PT409', null, 'nor is a birth date to be guessed with the address of another');
reset role;
delete from auth.users where id = pg_temp.id('eve');
update auth.users set email = 'other@example.com' where id = pg_temp.id('pal');
select is((select count(*) from private.minor_addresses), 2::bigint, 'an address that a minor gives up is remembered');
delete from auth.users where id in (pg_temp.id('ann'), pg_temp.id('fay'));
select is((select count(*) from private.minor_addresses), 2::bigint, 'a grown-up''s account leaves nothing');
update private.minor_addresses set adult_on = private.today();
select pg_temp.sign_up('old', 'player', null, 'kid@example.com');
select is_empty('select from private.minor_addresses', 'on the eighteenth birthday it is forgotten');
select pg_temp.act('old');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('old'), '1990-01-01')$$, 'and the address is like any other');
reset role;
insert into private.minor_addresses values ('x', '2000-01-01', private.today(), false);
insert into public.user_sessions (user_id, device_type) values (pg_temp.id('old'), 'Mobile');
select is_empty('select from private.minor_addresses', 'whatever happens first that day');

-- Entries of proven and of unproven addresses.
create function pg_temp.remembered(address text) returns text
language sql security definer
as $$ select birth_date || ' ' || proven from private.minor_addresses as m where m.address = private.address_hash(remembered.address) $$;
select pg_temp.sign_up('bad', 'player', 0, 'vic@example.com', false);
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' false', 'an address that the child did not prove is remembered as unproven');
select pg_temp.sign_up('vic', 'player', null, 'vic@example.com', false);
select pg_temp.act('vic');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), '1990-01-01')$$, 'PT409', null, 'it stands against whoever has not proven it');
reset role;
insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('vic'), 'recovery', now(), now());
select pg_temp.act('vic');
select throws_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), '1990-01-01')$$, 'PT409', null, 'and against someone who proves the mailbox later, who may be the child');
select lives_ok($$insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('vic'), pg_temp.years_ago(0))$$, 'who can only repeat the birth date');
reset role;
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' false', 'the entry stays');
delete from auth.sessions;
delete from auth.users where id = pg_temp.id('vic');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' true', 'a proof outlives its session');
select pg_temp.sign_up('bad', 'player', null, 'vic@example.com', false);
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('bad'), pg_temp.years_ago(1));
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('vic@example.com'), pg_temp.years_ago(0) || ' true', 'an unproven account overwrites no proven one');
select pg_temp.sign_up('bad', 'player', 9, 'wee@example.com', false);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('bad'), pg_temp.id('mum'), 'mum@example.com', 'accepted');
delete from auth.users where id = pg_temp.id('bad');
select is(pg_temp.remembered('wee@example.com'), pg_temp.years_ago(9) || ' true', 'a guardian who accepted proves the address');
select pg_temp.act('mum');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', 'The wrong person')$$, '42501', 'Only admins may do this.', 'only admins forget an address');
reset role;
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
select pg_temp.act('adm');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', 'The wrong person')$$, 'PT403', null, 'who show their factor');
select set_config('request.jwt.claims', jsonb_set(current_setting('request.jwt.claims')::jsonb, '{aal}', '"aal2"')::text, true);
select throws_ok($$select public.admin_forget_minor_address('nobody@example.com', 'The wrong person')$$, 'PT404', null, 'an address that nobody left is none');
select throws_ok($$select public.admin_forget_minor_address('vic@example.com', '')$$, 'PT400', null, 'and say why');
select lives_ok($$select public.admin_forget_minor_address(' VIC@example.com', 'The wrong person')$$, 'then it is forgotten');
reset role;
select is(pg_temp.remembered('vic@example.com'), null, 'altogether');
select is((select count(*) from public.audit_log where action = 'minor_address_forgotten' and subject_id !~ '@'), 1::bigint, 'which is written down without the address');
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
select lives_ok($$select public.ask_to_join(pg_temp.id('tea'))$$, 'a ward asks to join');
select pg_temp.act('cam');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'which the coach does not see');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', null, 'or accept');
select throws_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'PT404', 'There is no such profile.', 'or go around by an invitation');
select pg_temp.act('kit');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', 'Your guardian answers this invitation.', 'nor is it the ward''s to approve');
select pg_temp.act('mum');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the guardian approves');
select is(pg_temp.standing('kit'), 'asked approved', 'which lets the coach see it');
reset role;
select is(pg_temp.who_sees($$select from public.profiles where id = pg_temp.id('kit')$$), 'mum cam', 'and who it is that asks');
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', null, 'not a coach who is not verified');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'who does not know of it');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the verified one accepts');
select is(pg_temp.standing('kit'), 'active approved', 'so kit is in');
select isnt_empty($$select from public.player_academics where user_id = pg_temp.id('kit')$$, 'and read');
reset role;
update public.team_members set status = 'invited', approved_at = null where user_id = pg_temp.id('kit');
select pg_temp.act('kit');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, '42501', 'Your guardian answers this invitation.', 'a ward accepts no invitation');
select pg_temp.act('mum');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'the guardian does');
select is(pg_temp.standing('kit'), 'active approved', 'and that is enough');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select pg_temp.act('kit');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('mum');
select public.set_ward_audience(pg_temp.id('kit'), 'verified');
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'a coach who invites whoever asked');
select is(pg_temp.standing('kit'), 'invited', 'still waits for the guardian');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('cam'), 'cam@example.com', 'accepted');
select pg_temp.act('kit');
select public.ask_to_join(pg_temp.id('tea'));
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('kit'))$$, 'a guardian who coaches the team says yes once');
select is(pg_temp.standing('kit'), 'active approved', 'as both');
select pg_temp.act('tim');
select lives_ok($$select public.ask_to_join(pg_temp.id('tea'))$$, 'from 13 on without a guardian one asks for oneself');
select pg_temp.act('cob');
select throws_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('tim'))$$, '42501', null, 'and still joins verified coaches only');
select pg_temp.act('cam');
select lives_ok($$select public.accept_member(pg_temp.id('tea'), pg_temp.id('tim'))$$, 'who accept');

select * from finish();
rollback;

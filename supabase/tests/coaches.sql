-- Who verifies a coach, what only verified coaches may do, and whose texts reach minors.
begin;
select plan(69);
delete from auth.users;
delete from public.teams;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case name when 'anon' then '{"role": "anon"}'
    else jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text end, true);
  perform set_config('role', case name when 'anon' then 'anon' else 'authenticated' end, true);
end
$$;
create function pg_temp.verified(name text) returns boolean
language sql security definer
as $$ select private.coach_is_verified(pg_temp.id(name)) $$;
create function pg_temp.team(name text) returns uuid
language sql security definer
as $$ select id from public.teams as t where t.name = team.name $$;

-- cam, cal and con are verified; coy, cub (15) and new are not; tim is 15 and public, ann an adult.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role)
from (values ('cam', 'coach'), ('cal', 'coach'), ('con', 'coach'), ('coy', 'coach'), ('cub', 'coach'), ('new', 'coach'), ('ann', 'player'), ('tim', 'player'),
  ('sam', 'scout'), ('fay', 'fan'), ('adm', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select id, (now() at time zone 'utc')::date - make_interval(years => case full_name when 'cub' then 15 when 'tim' then 15 else 40 end) from public.users;
update public.users set public_profile = true where full_name = 'tim';
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
insert into private.coach_verifications (coach_id) select pg_temp.id(name) from unnest(array['cam', 'cal', 'con']) as name;

-- Verification.
select is(pg_temp.verified('coy'), false, 'a new coach is not verified');
select pg_temp.act('coy');
select throws_ok($$update public.coaches set verified_at = now()$$, '42501', null, 'coaches cannot set their own verification');
select throws_ok($$insert into public.coach_vouches (coach_id) values (pg_temp.id('coy'))$$, '42501', null, 'coaches cannot insert vouches');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('new'))$$, '42501', 'Only verified coaches vouch for others.', 'an unverified coach cannot vouch for others');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('coy'))$$, '42501', null, 'an unverified coach cannot vouch for oneself');
select pg_temp.act('sam');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('coy'))$$, '42501', null, 'scouts cannot vouch');
select pg_temp.act('cam');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('cam'))$$, 'PT404', null, 'coaches cannot vouch for themselves');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('fay'))$$, 'PT404', 'There is no such coach.', 'coaches cannot vouch for a fan');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('cub'))$$, 'PT404', null, 'coaches cannot vouch for a coach of 15');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('cal'))$$, 'PT400', 'This coach is verified already.', 'coaches cannot vouch for a verified coach');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('coy')), public.vouch_for_coach(pg_temp.id('coy'))$$, 'vouching twice is no error');
select is(pg_temp.verified('coy'), false, 'two vouches of one coach count once');
select pg_temp.act('cal');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('coy'))$$, 'a second coach vouches');
select is(pg_temp.verified('coy'), true, 'two vouches verify a coach');
select pg_temp.act('coy');
select is((select count(*) from public.coach_vouches), 2::bigint, 'coaches see who vouched for them');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('new'))$$, 'a coach verified by vouches can vouch for others');
select pg_temp.act('con');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('new'))$$, 'another coach vouches as well');
select is(pg_temp.verified('new'), true, 'new is verified');
select pg_temp.act('fay');
select is_empty('select from public.coach_vouches', 'others do not see who vouched for whom');
select isnt_empty($$select from public.coaches where user_id = pg_temp.id('new') and verified_at is not null$$, 'others see that a coach is verified');
select pg_temp.act('cam');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('coy'), false)$$, 'a vouch can be withdrawn');
select is(pg_temp.verified('coy'), false, 'one vouch is not enough');
select is(pg_temp.verified('new'), false, 'vouches of a coach who is no longer verified do not count');
select pg_temp.act('adm');
select lives_ok($$select public.admin_verify_coach(pg_temp.id('coy'), true)$$, 'admins can verify a coach');
select is(pg_temp.verified('coy'), true, 'the admin''s verification is enough');
select is((select verified_at is not null from public.admin_users where full_name = 'coy'), true, 'admin_users shows the verification');
select lives_ok($$select public.admin_verify_coach(pg_temp.id('coy'), false)$$, 'admins can withdraw the verification');
select is(pg_temp.verified('coy'), false, 'withdrawing removes the vouches as well');
select throws_ok($$select public.admin_verify_coach(pg_temp.id('fay'), true)$$, 'PT404', 'There is no such coach.', 'admins cannot verify a fan as coach');
select results_eq($$select distinct action from public.audit_log where action like 'coach_v%' order by 1$$,
  $$values ('coach_verification_withdrawn'), ('coach_verified'), ('coach_vouch_withdrawn'), ('coach_vouched')$$, 'vouches and verifications are logged');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('con'), 'A reason');
select is(pg_temp.verified('con'), false, 'a suspended coach is not verified');
delete from public.suspensions;
update public.users set role = 'fan', user_type = 'fan' where id = pg_temp.id('con');
select is(pg_temp.verified('con'), false, 'a former coach is not verified');

-- Unverified coaches have no access to minors.
select pg_temp.act('coy');
select lives_ok($$select public.create_team('Call me at 555')$$, 'an unverified coach can create a team');
select throws_ok($$select public.invite_to_team(pg_temp.team('Call me at 555'), pg_temp.id('tim'))$$, '42501', 'Only verified coaches invite players under 18.', 'an unverified coach cannot invite players under 18');
select lives_ok($$select public.invite_to_team(pg_temp.team('Call me at 555'), pg_temp.id('ann'))$$, 'an unverified coach can invite adults');
select pg_temp.act('ann');
select isnt_empty('select id from public.teams', 'invited adults can read the team''s name');
select lives_ok($$select public.accept_member(pg_temp.team('Call me at 555'), pg_temp.id('ann'))$$, 'invited adults can join');
select pg_temp.act('tim');
select is_empty('select id from public.teams', 'a minor cannot read a name by an unverified coach');
select throws_ok($$select public.ask_to_join(pg_temp.team('Call me at 555'))$$, 'PT404', 'There is no such team.', 'a minor cannot ask to join that team');
select pg_temp.act('anon');
select is_empty('select id from public.teams', 'visitors cannot read it, because they may be minors');
reset role;
insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('ann'), 'bat_speed', 60, 'self', 'Cage');
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Call me at 555'), pg_temp.id('tim'), 'player', 'active');
select pg_temp.act('coy');
select throws_ok($$select public.verify_measurement(id) from public.measurements$$, '42501', 'Only verified coaches verify numbers.', 'an unverified coach cannot verify measurements');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('ann'), 'bat_speed', 60, 'coach', 'Call me')$$, '42501', null, 'an unverified coach cannot add measurements');
select is_empty($$select private.coached_players() intersect select pg_temp.id('tim')$$, 'an unverified coach cannot read minors on the team');
select is_empty($$select from public.team_members where user_id = pg_temp.id('tim') and status <> 'active'$$, 'an unverified coach cannot see requests to join');
reset role;
update public.users set public_profile = false where full_name = 'tim';
select pg_temp.act('coy');
select is_empty($$select id from public.profiles where id = pg_temp.id('tim')$$, 'an unverified coach cannot see a member''s private profile');

-- Team names.
select pg_temp.act('adm');
select lives_ok($$select public.admin_verify_coach(pg_temp.id('coy'), true)$$, 'an admin verifies the coach');
select pg_temp.act('tim');
select isnt_empty('select id from public.teams', 'minors can read the name of a verified coach''s team');
select pg_temp.act('coy');
select isnt_empty($$select id from public.profiles where id = pg_temp.id('tim')$$, 'the verified coach can see the minor on the team');
select lives_ok($$update public.teams set name = 'Owls', city = 'Cedar Falls'$$, 'a verified coach can rename the team');
reset role;
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('new'), 'coach', 'active');
select pg_temp.act('new');
select throws_ok($$update public.teams set name = 'Call me at 556'$$, '42501', 'Only verified coaches rename this team.', 'an unverified second coach cannot rename it');
select throws_ok($$update public.teams set city = 'Call me at 556'$$, '42501', null, 'an unverified second coach cannot change its city');
select lives_ok($$update public.teams set name = 'Owls', active = true$$, 'an unverified second coach can save it unchanged');
select throws_ok($$update public.teams set vetted = true$$, '42501', null, 'coaches cannot write the column vetted');
select pg_temp.act('adm');
select lives_ok($$select public.admin_verify_coach(pg_temp.id('coy'), false)$$, 'an admin withdraws the verification');
select pg_temp.act('anon');
select is_empty('select id from public.teams', 'the team''s name is then hidden from visitors');
select pg_temp.act('adm');
update public.teams set name = 'Herons';
select pg_temp.act('anon');
select isnt_empty('select id from public.teams', 'a name by an admin is visible');

-- A vouch counts only while its voucher is a verified coach.
reset role;
update public.users set role = 'coach', user_type = 'coach' where id = pg_temp.id('con');
create function pg_temp.vouch_twice() returns void
language plpgsql
as $$
begin
  delete from public.coach_vouches;
  insert into public.coach_vouches (coach_id, voucher_id) select pg_temp.id('new'), pg_temp.id(name) from unnest(array['cam', 'cal']) as name;
end
$$;
select pg_temp.vouch_twice();
select pg_temp.act('new');
select public.create_team('Larks');
reset role;
update public.teams set named_by = pg_temp.id('cal') where name = 'Herons';
create function pg_temp.vetted() returns text
language sql
as $$ select coalesce(string_agg(name, ' ' order by name), '') from public.teams where vetted $$;
select is(pg_temp.vetted(), 'Herons Larks', 'teams named by verified coaches are vetted');
insert into public.suspensions (user_id, reason) values (pg_temp.id('cal'), 'A reason');
select is(pg_temp.verified('new'), false, 'while a voucher is suspended the vouch does not count');
select is(pg_temp.vetted(), '', 'teams named by either coach are then not vetted');
update public.suspensions set lifted_at = now();
select is(pg_temp.verified('new'), true, 'the vouch counts again after the suspension');
select is(pg_temp.vetted(), 'Herons Larks', 'the names are vetted again');
insert into public.suspensions (user_id, reason) values (pg_temp.id('cal'), 'Again');
delete from public.suspensions;
select is(pg_temp.verified('new'), true, 'the vouch also counts again if the suspension is deleted');
update public.users set role = 'fan', user_type = 'fan' where id = pg_temp.id('cal');
select is(pg_temp.verified('new'), false, 'the vouch of a former coach does not count');
update public.users set role = 'coach', user_type = 'coach' where id = pg_temp.id('cal');
select is(pg_temp.verified('new'), true, 'it counts again if that user becomes a coach again');
update public.birth_dates set birth_date = current_date where user_id = pg_temp.id('cal');
select is(pg_temp.verified('new'), false, 'the vouch of a minor does not count');
update public.birth_dates set birth_date = '1980-01-01' where user_id = pg_temp.id('cal');
delete from auth.users where id = pg_temp.id('cal');
select is(pg_temp.verified('new'), false, 'the vouch ends with the voucher''s account');
select is((select count(*) from public.coach_vouches), 1::bigint, 'the vouch''s row is deleted');
delete from public.audit_log;
insert into public.audit_log (actor_id, action, created_at)
select pg_temp.id('cam'), 'coach_vouched', now() - case when n > 9 then interval '32 days' else interval '1 day' end from generate_series(1, 20) as n;
select pg_temp.act('cam');
select lives_ok($$select public.vouch_for_coach(pg_temp.id('coy'))$$, 'ten vouches a month are allowed');
select throws_ok($$select public.vouch_for_coach(pg_temp.id('coy'))$$, 'PT429', 'Ten vouches a month are enough.', 'the next vouch is refused');

select * from finish();
rollback;

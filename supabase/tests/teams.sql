-- Teams, and what a coach may write about the players.
begin;
select plan(85);
delete from auth.users;
delete from public.leagues;
delete from public.teams;
delete from public.audit_log;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.team() returns uuid
language sql stable security definer
as $$ select id from public.teams where name = 'Owls' $$;
create function pg_temp.standing(name text) returns text
language sql stable security definer
as $$ select role || ' ' || status from public.team_members where user_id = pg_temp.id(name) $$;
create function pg_temp.measurement(said text) returns uuid
language sql stable security definer
as $$ select id from public.measurements where event = said $$;

-- cam, who is verified, and cal are coaches; kim is a coach of unknown age. ann is an adult, pri private, kid 11, kit
-- 11 with gus as guardian.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('cal', 'coach'), ('kim', 'coach'), ('ann', 'player'), ('pri', 'player'), ('kid', 'player'),
  ('kit', 'player'), ('tim', 'player'), ('fay', 'fan'), ('gus', 'fan'), ('adm', 'fan')) as people (name, role);
update public.users set is_admin = true where full_name = 'adm';
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), id, 'totp', 'verified', now(), now() from public.users where is_admin;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('ann', 20), ('pri', 20), ('kid', 11), ('kit', 11), ('tim', 15), ('fay', 40), ('gus', 40), ('adm', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, audience)
values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted', 'verified');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));

-- Creating a team.
select pg_temp.act('fay');
select throws_ok($$select public.create_team('Fans')$$, '42501', 'Only coaches make teams.', 'a fan cannot create a team');
select pg_temp.act('ann');
select throws_ok($$select public.create_team('Players')$$, '42501', null, 'a player cannot create a team');
select pg_temp.act('kim');
select throws_ok($$select public.create_team('Unknown')$$, '42501', null, 'a coach who may be a minor cannot create a team');
select pg_temp.act('cam');
select throws_ok($$select public.create_team(' ')$$, '23514', null, 'a team needs a name');
select throws_ok($$select public.create_team('Owls', pg_temp.id('non'))$$, '23503', null, 'the league must exist if it is given');
select lives_ok($$select public.create_team(' Owls ', null, 'Cedar Falls', 'OR')$$, 'a coach can create a team');
select is(pg_temp.standing('cam'), 'coach active', 'the creator is a coach of the team');

-- Inviting.
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('ann'), '7')$$, 'a coach can invite a player');
select is(pg_temp.standing('ann'), 'player invited', 'the player is invited, not active');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('ann'))$$, 'inviting again changes nothing');
select throws_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('ann'))$$, '42501', null, 'a coach cannot accept for a player');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('pri'))$$, 'PT404', 'There is no such profile.', 'a private profile cannot be invited');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kid'))$$, 'PT404', 'There is no such profile.', 'a child without a guardian cannot be invited');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('non'))$$, 'PT404', 'There is no such profile.', 'an unknown user gets the same refusal');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('fay'))$$, 'PT400', null, 'fans cannot be invited');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'), '100')$$, '23514', null, 'a jersey has at most two digits');
select pg_temp.act('cal');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('cal'))$$, '42501', null, 'other coaches cannot invite');
select pg_temp.act('ann');
select results_eq('select status from public.team_members where user_id = pg_temp.id(''ann'')', $$values ('invited')$$, 'players see their invitation');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('ann'))$$, 'players can accept their invitation');
select is(pg_temp.standing('ann'), 'player active', 'the player is active');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'))$$, '42501', null, 'players cannot invite');

-- Requests to join.
select pg_temp.act('pri');
select throws_ok($$select public.ask_to_join(pg_temp.id('non'))$$, 'PT404', null, 'players cannot ask to join an unknown team');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'players can ask to join a team');
select throws_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('pri'))$$, '42501', null, 'players cannot accept their own request');
select pg_temp.act('cam');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'a request does not show a private profile to the coach');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('pri'))$$, 'a coach can accept a request');
select isnt_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'the coach then sees the private profile');
select pg_temp.act('ann');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'team mates do not see a private profile');
select is((select count(*) from public.team_members), 3::bigint, 'team mates see all memberships');
select pg_temp.act('fay');
select is((select count(*) from public.team_members), 2::bigint, 'others see memberships of visible profiles only');
select pg_temp.act('kid');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, '42501', 'Your guardian has to accept your account first.', 'a child without a guardian cannot ask to join');

-- A second coach, after accepting.
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('cal'))$$, 'a coach can invite another coach');
select pg_temp.act('cal');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'an invited coach does not see private profiles');

-- Minors and guardians.
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'))$$, 'a coach can invite a ward');
select pg_temp.act('gus');
select isnt_empty($$select from public.team_members where user_id = pg_temp.id('kit') and status = 'invited'$$, 'the guardian sees the invitation');
select results_eq('select ward_id, requests from public.my_wards()', $$values (pg_temp.id('kit'), 1)$$, 'an invitation waits for the guardian');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian can accept it');
select results_eq('select requests from public.my_wards()', 'values (0)', 'an active membership waits for nobody');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian can end the membership');
select throws_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('ann'))$$, '42501', null, 'a guardian cannot end other memberships');
select pg_temp.act('kit');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'kit asks to join');
select pg_temp.act('gus');
select results_eq('select requests from public.my_wards()', 'values (1)', 'the request waits for the guardian');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian approves it');
select results_eq('select requests from public.my_wards()', 'values (0)', 'an approved request waits for the coach');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian takes it back');

-- Measurements.
select pg_temp.act('ann');
select lives_ok($$insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('ann'), 'sixty_yard_dash', 6.987, 'self', 'own')$$, 'players can add a measurement');
select results_eq($$select value, unit, created_by, verified_by, taken_at from public.measurements$$, $$values (6.99, 's', pg_temp.id('ann'), null::uuid, (now() at time zone 'utc')::date)$$, 'it is rounded, has its unit and is unverified');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'sixty_yard_dash', 69.87, 'self')$$, '23514', '60-yard dash is measured between 5.8 and 15 s.', 'an implausible value is refused');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, taken_at) values (pg_temp.id('ann'), 'sixty_yard_dash', 7, 'self', now() + interval '3 days')$$, '23514', null, 'a date in the future is refused');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'charm', 7, 'self')$$, '23503', null, 'an unknown kind is refused');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, verified_by) values (pg_temp.id('ann'), 'bat_speed', 60, 'self', pg_temp.id('cam'))$$, '42501', null, 'players cannot set the verifier');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'bat_speed', 60, 'coach')$$, '42501', null, 'players cannot add a measurement as a coach''s');
select lives_ok($$update public.measurements set verification_asked = true$$, 'players can ask for verification');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'players cannot verify their own measurements');
select pg_temp.act('cal');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', 'Only a coach of the player''s team can verify this.', 'a coach of another team cannot verify it');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'bat_speed', 60, 'coach')$$, '42501', null, 'a coach of another team cannot add measurements');
select pg_temp.act('cam');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, 'a coach of the team can verify it');
select results_eq($$select verified_by, verification_asked from public.measurements$$, $$values (pg_temp.id('cam'), true)$$, 'the verifier is stored');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'), false)$$, 'the verification can be withdrawn');
select results_eq($$select verified_by, verified_at, verification_asked from public.measurements$$, $$values (null::uuid, null::timestamptz, true)$$, 'withdrawing within a minute clears the verifier and opens the request again');
select public.verify_measurement(pg_temp.measurement('own'));
reset role;
update public.measurements set verified_at = now() - interval '2 minutes';
select pg_temp.act('cam');
select public.verify_measurement(pg_temp.measurement('own'), false);
select results_eq($$select verified_by, verification_asked from public.measurements$$, $$values (null::uuid, false)$$, 'withdrawing later ends the request');
select lives_ok($$insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('pri'), 'bat_speed', 60, 'coach', 'cage')$$, 'a coach can add a measurement');
select results_eq($$select verified_by, verified_at is not null, created_by from public.measurements where event = 'cage'$$, $$values (pg_temp.id('cam'), true, pg_temp.id('cam'))$$, 'a coach''s measurement is verified');
select pg_temp.act('pri');
select lives_ok($$update public.players set accept_coach_stats = false$$, 'players can refuse measurements by coaches');
select pg_temp.act('cam');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('pri'), 'bat_speed', 61, 'coach')$$, '42501', null, 'coaches then cannot add measurements');
select pg_temp.act('pri');
select throws_ok($$update public.measurements set source = 'event'$$, '42501', null, 'players cannot change the source of a coach''s measurement');
select lives_ok($$delete from public.measurements where event = 'cage'$$, 'players can delete a coach''s measurement');
select pg_temp.act('adm');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, 'admins can verify measurements');
select results_eq($$select action from public.audit_log where action like '%verif%' order by id$$, $$values ('measurement_verified'), ('verification_withdrawn'), ('measurement_verified'), ('verification_withdrawn'), ('measurement_verified')$$, 'verifications are logged');

reset role;
update public.users set is_admin = true where id = pg_temp.id('ann');
select pg_temp.act('ann');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'admins cannot verify their own measurements');
reset role;
update public.users set is_admin = false where id = pg_temp.id('ann');

-- Leaving.
select pg_temp.act('cam');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('ann'))$$, 'a coach can remove a player');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'the coach cannot verify the former player''s measurements');
select pg_temp.act('cal');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('cal'))$$, 'the invited coach can accept');
reset role;
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team(), pg_temp.id('kit'), 'player', 'active');
select pg_temp.act('cal');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'an unverified coach does not see children on the team');
select throws_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, '42501', 'This membership is not yours to end.', 'an unverified coach cannot remove children');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select pg_temp.act('tim');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'a player asks to join');
reset role;
delete from auth.users where id = pg_temp.id('cam');
select results_eq($$select active, created_by is null from public.teams$$, $$values (true, true)$$, 'a team remains if one of its coaches deletes the account');
savepoint two_are_one;
select pg_temp.act('cal');
select lives_ok($$select public.leave_team(pg_temp.team())$$, 'the last coach can leave');
reset role;
select results_eq($$select active from public.teams$$, $$values (false)$$, 'the team is then closed');
select is(pg_temp.standing('tim'), null, 'open requests are then deleted');
select pg_temp.act('pri');
select results_eq($$select name, active from public.teams$$, $$values ('Owls', false)$$, 'its players see that it is closed');
select lives_ok($$select public.leave_team(pg_temp.team())$$, 'its players can leave');
select is_empty($$select from public.teams$$, 'others do not see a closed team');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, 'PT404', 'There is no such team.', 'a closed team cannot be joined');
reset role;
rollback to two_are_one;
delete from auth.users where id = pg_temp.id('cal');
select results_eq($$select active from public.teams$$, $$values (false)$$, 'a team is closed when the last coach deletes the account');

select * from finish();
rollback;

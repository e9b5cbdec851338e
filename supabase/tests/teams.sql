-- Teams, and what a coach may write about the players.
begin;
select plan(84);
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
select throws_ok($$select public.create_team('Fans')$$, '42501', 'Only coaches make teams.', 'a fan makes no team');
select pg_temp.act('ann');
select throws_ok($$select public.create_team('Players')$$, '42501', null, 'nor does a player');
select pg_temp.act('kim');
select throws_ok($$select public.create_team('Unknown')$$, '42501', null, 'nor a coach who may be a child');
select pg_temp.act('cam');
select throws_ok($$select public.create_team(' ')$$, '23514', null, 'a team has a name');
select throws_ok($$select public.create_team('Owls', pg_temp.id('non'))$$, '23503', null, 'and a league that exists, or none');
select lives_ok($$select public.create_team(' Owls ', null, 'Cedar Falls', 'OR')$$, 'a coach makes one');
select is(pg_temp.standing('cam'), 'coach active', 'and coaches it');

-- Inviting.
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('ann'), '7')$$, 'cam invites ann');
select is(pg_temp.standing('ann'), 'player invited', 'who is invited, not in');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('ann'))$$, 'again changes nothing');
select throws_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('ann'))$$, '42501', null, 'cam does not accept for her');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('pri'))$$, 'PT404', 'There is no such profile.', 'a private profile cannot be found this way');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kid'))$$, 'PT404', 'There is no such profile.', 'nor a child''s');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('non'))$$, 'PT404', 'There is no such profile.', 'which reads as nobody');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('fay'))$$, 'PT400', null, 'fans do not play');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'), '100')$$, '23514', null, 'a jersey has two digits');
select pg_temp.act('cal');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('cal'))$$, '42501', null, 'cal does not coach the Owls');
select pg_temp.act('ann');
select results_eq('select status from public.team_members where user_id = pg_temp.id(''ann'')', $$values ('invited')$$, 'ann sees the invitation');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('ann'))$$, 'and accepts');
select is(pg_temp.standing('ann'), 'player active', 'she is in');
select throws_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'))$$, '42501', null, 'but does not coach');

-- Requests to join.
select pg_temp.act('pri');
select throws_ok($$select public.ask_to_join(pg_temp.id('non'))$$, 'PT404', null, 'one asks a team that exists');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'pri asks');
select throws_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('pri'))$$, '42501', null, 'and does not let herself in');
select pg_temp.act('cam');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'asking shows nothing to the coach yet');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('pri'))$$, 'cam lets her in');
select isnt_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'and now sees her');
select pg_temp.act('ann');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'her team mates do not');
select is((select count(*) from public.team_members), 3::bigint, 'but know how many they are');
select pg_temp.act('fay');
select is((select count(*) from public.team_members), 2::bigint, 'others see who is shown');
select pg_temp.act('kid');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, '42501', 'Your guardian has to accept your account first.', 'a child without a guardian joins nothing');

-- A second coach, after accepting.
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('cal'))$$, 'cam invites another coach');
select pg_temp.act('cal');
select is_empty($$select id from public.profiles where id = pg_temp.id('pri')$$, 'who sees the players when he has accepted');

-- Minors and guardians.
select pg_temp.act('cam');
select lives_ok($$select public.invite_to_team(pg_temp.team(), pg_temp.id('kit'))$$, 'cam invites kit');
select pg_temp.act('gus');
select isnt_empty($$select from public.team_members where user_id = pg_temp.id('kit') and status = 'invited'$$, 'the guardian sees it');
select results_eq('select ward_id, requests from public.my_wards()', $$values (pg_temp.id('kit'), 1)$$, 'an invitation waits for the guardian');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('kit'))$$, 'and accepts');
select results_eq('select requests from public.my_wards()', 'values (0)', 'an active membership waits for nobody');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, 'and takes the child out');
select throws_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('ann'))$$, '42501', null, 'but nobody else''s');
select pg_temp.act('kit');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'kit asks to join');
select pg_temp.act('gus');
select results_eq('select requests from public.my_wards()', 'values (1)', 'the request waits for the guardian');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian approves it');
select results_eq('select requests from public.my_wards()', 'values (0)', 'an approved request waits for the coach');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, 'the guardian takes it back');

-- Measurements.
select pg_temp.act('ann');
select lives_ok($$insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('ann'), 'sixty_yard_dash', 6.987, 'self', 'own')$$, 'ann says what she ran');
select results_eq($$select value, unit, created_by, verified_by, taken_at from public.measurements$$, $$values (6.99, 's', pg_temp.id('ann'), null::uuid, (now() at time zone 'utc')::date)$$, 'rounded, with its unit, unverified');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'sixty_yard_dash', 69.87, 'self')$$, '23514', '60-yard dash is measured between 5.8 and 15 s.', 'a slip is noticed');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, taken_at) values (pg_temp.id('ann'), 'sixty_yard_dash', 7, 'self', now() + interval '3 days')$$, '23514', null, 'as is the future');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'charm', 7, 'self')$$, '23503', null, 'and what is not measured');
select throws_ok($$insert into public.measurements (player_id, kind, value, source, verified_by) values (pg_temp.id('ann'), 'bat_speed', 60, 'self', pg_temp.id('cam'))$$, '42501', null, 'nobody writes a coach''s name under it');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'bat_speed', 60, 'coach')$$, '42501', null, 'or says it was a coach');
select lives_ok($$update public.measurements set verification_asked = true$$, 'ann asks her coach');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'and does not verify it herself');
select pg_temp.act('cal');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', 'Only a coach of the player''s team can verify this.', 'another team''s coach does not either');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('ann'), 'bat_speed', 60, 'coach')$$, '42501', null, 'nor measure her');
select pg_temp.act('cam');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, 'cam does');
select results_eq($$select verified_by, verification_asked from public.measurements$$, $$values (pg_temp.id('cam'), false)$$, 'and it says so');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'), false)$$, 'he can take it back');
select results_eq($$select verified_by, verified_at from public.measurements$$, $$values (null::uuid, null::timestamptz)$$, 'then it is as before');
select lives_ok($$insert into public.measurements (player_id, kind, value, source, event) values (pg_temp.id('pri'), 'bat_speed', 60, 'coach', 'cage')$$, 'cam measures pri');
select results_eq($$select verified_by, verified_at is not null, created_by from public.measurements where event = 'cage'$$, $$values (pg_temp.id('cam'), true, pg_temp.id('cam'))$$, 'which is verified by that');
select pg_temp.act('pri');
select lives_ok($$update public.players set accept_coach_stats = false$$, 'pri wants no more of it');
select pg_temp.act('cam');
select throws_ok($$insert into public.measurements (player_id, kind, value, source) values (pg_temp.id('pri'), 'bat_speed', 61, 'coach')$$, '42501', null, 'so cam adds none');
select pg_temp.act('pri');
select throws_ok($$update public.measurements set source = 'event'$$, '42501', null, 'pri does not raise it to an event');
select lives_ok($$delete from public.measurements where event = 'cage'$$, 'but may delete what is about her');
select pg_temp.act('adm');
select lives_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, 'admins verify, too');
select results_eq($$select action from public.audit_log where action like '%verif%' order by id$$, $$values ('measurement_verified'), ('verification_withdrawn'), ('measurement_verified')$$, 'all of it is written down');

reset role;
update public.users set is_admin = true where id = pg_temp.id('ann');
select pg_temp.act('ann');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'but not what is about themselves');
reset role;
update public.users set is_admin = false where id = pg_temp.id('ann');

-- Leaving.
select pg_temp.act('cam');
select lives_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('ann'))$$, 'a coach takes a player off the team');
select throws_ok($$select public.verify_measurement(pg_temp.measurement('own'))$$, '42501', null, 'and has no word about her any more');
select pg_temp.act('cal');
select lives_ok($$select public.accept_member(pg_temp.team(), pg_temp.id('cal'))$$, 'cal coaches, too');
reset role;
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team(), pg_temp.id('kit'), 'player', 'active');
select pg_temp.act('cal');
select is_empty($$select from public.team_members where user_id = pg_temp.id('kit')$$, 'cal, who is not verified, sees no child');
select throws_ok($$select public.leave_team(pg_temp.team(), pg_temp.id('kit'))$$, '42501', 'This membership is not yours to end.', 'and removes none');
reset role;
delete from public.team_members where user_id = pg_temp.id('kit');
select pg_temp.act('tim');
select lives_ok($$select public.ask_to_join(pg_temp.team())$$, 'tim asks to join');
reset role;
delete from auth.users where id = pg_temp.id('cam');
select results_eq($$select active, created_by is null from public.teams$$, $$values (true, true)$$, 'a team outlives one of its coaches');
savepoint two_are_one;
select pg_temp.act('cal');
select lives_ok($$select public.leave_team(pg_temp.team())$$, 'the last one may leave');
reset role;
select results_eq($$select active from public.teams$$, $$values (false)$$, 'but then it is closed');
select is(pg_temp.standing('tim'), null, 'who waited waits no more');
select pg_temp.act('pri');
select results_eq($$select name, active from public.teams$$, $$values ('Owls', false)$$, 'its players see that it is');
select lives_ok($$select public.leave_team(pg_temp.team())$$, 'and leave');
select is_empty($$select from public.teams$$, 'for others it is gone');
select throws_ok($$select public.ask_to_join(pg_temp.team())$$, 'PT404', 'There is no such team.', 'nobody joins it');
reset role;
rollback to two_are_one;
delete from auth.users where id = pg_temp.id('cal');
select results_eq($$select active from public.teams$$, $$values (false)$$, 'as by deleting the account');

select * from finish();
rollback;

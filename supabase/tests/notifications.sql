-- Who is notified of what, and who may read and send on the channels of users.
begin;
select plan(44);
delete from auth.users;
delete from public.teams;
-- The service makes a partition for each day; here none runs.
create table realtime.messages_of_this_test partition of realtime.messages default;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims',
    jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
-- What was sent since this was last asked: to whom, and what.
create function pg_temp.sent() returns text
language sql security definer
as $$
  with gone as (delete from realtime.messages returning topic, private, event, payload)
  select coalesce(string_agg(concat_ws(' ', u.full_name, g.payload ->> 'kind', g.payload ->> 'team', g.payload ->> 'label'), ', '
    order by u.full_name, g.payload ->> 'kind'), '')
  from gone as g left join public.users as u on g.topic = 'user:' || u.id
  where g.private and g.event = 'notification'
$$;
create function pg_temp.tomorrow() returns void
language sql security definer
as $$ update private.notified set notified_at = notified_at - interval '1 day' $$;

-- kid is 11, tim is 15; mum looks after both. cam is a verified coach, coy is not.
insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at, confirmation_sent_at)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role), now(), now()
from (values ('cam', 'coach'), ('cal', 'coach'), ('coy', 'coach'), ('ann', 'player'), ('kid', 'player'), ('tim', 'player'),
  ('mum', 'fan'), ('fay', 'fan'), ('sam', 'scout')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select id, (now() at time zone 'utc')::date - make_interval(years => case full_name when 'kid' then 11 when 'tim' then 15 else 40 end)
from public.users;
update public.users set public_profile = true where full_name in ('ann', 'tim');
insert into private.coach_verifications (coach_id) select pg_temp.id(name) from unnest(array['cam', 'cal']) as name;
select is(pg_temp.sent(), '', 'what seeds and operators write notifies nobody');

-- Follows.
select pg_temp.act('fay');
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann followed', 'the followed user is notified');
delete from public.follows;
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann'));
select is(pg_temp.sent(), '', 'to follow again on the same day sends nothing');
reset role;
select pg_temp.tomorrow();
delete from public.follows;
select pg_temp.act('fay');
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann followed', 'to follow again a day later does');
reset role;
select is((select count(*) from private.notified where user_id = pg_temp.id('ann')), 1::bigint, 'what is older than a day is forgotten');

-- Preferences.
delete from public.follows;
select pg_temp.tomorrow();
select pg_temp.act('ann');
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id('ann'), 'follows', 'app', false);
select pg_temp.act('fay');
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann'));
select is(pg_temp.sent(), '', 'a user who has switched followers off is not notified');
reset role;
delete from public.follows;
select pg_temp.act('ann');
update public.notification_preferences set enabled = true;
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id('ann'), 'follows', 'email', false);
select pg_temp.act('fay');
insert into public.follows (follower_id, followed_id) values (pg_temp.id('fay'), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann followed', 'the switch for e-mails does not count for the bell');

-- Verified numbers.
reset role;
insert into public.measurements (id, player_id, kind, value, source, verification_asked)
values (pg_temp.id('bat'), pg_temp.id('ann'), 'bat_speed', 60, 'self', true);
insert into public.teams (name, vetted, created_by) values ('Owls', true, pg_temp.id('cam'));
update public.teams set vetted = true, named_by = pg_temp.id('cam');
insert into public.team_members (team_id, user_id, role, status)
select id, pg_temp.id('cam'), 'coach', 'active' from public.teams;
insert into public.team_members (team_id, user_id, role, status)
select id, pg_temp.id('cal'), 'coach', 'active' from public.teams;
insert into public.team_members (team_id, user_id, role, status)
select id, pg_temp.id('ann'), 'player', 'active' from public.teams;
select is(pg_temp.sent(), '', 'members who are entered as such are not notified');
select pg_temp.act('cam');
select public.verify_measurement(pg_temp.id('bat'));
select is(pg_temp.sent(), 'ann measurement_verified Bat speed', 'the player is notified of a verified number');
select public.verify_measurement(pg_temp.id('bat'), false);
select is(pg_temp.sent(), '', 'nobody is notified when that is withdrawn');

-- Guardians.
select pg_temp.act('kid');
select public.invite_guardian('mum@example.com');
select is(pg_temp.sent(), 'mum guardian_invited', 'who is invited as a guardian and has proven the address is notified');
select public.invite_guardian('nobody@example.com');
select is(pg_temp.sent(), '', 'an address without an account notifies nobody');
reset role;
update auth.users set email_confirmed_at = null where id = pg_temp.id('fay');
select pg_temp.act('kid');
select public.invite_guardian('fay@example.com');
select is(pg_temp.sent(), '', 'an address that is not proven notifies nobody');
select pg_temp.act('mum');
select public.answer_invitation(id, true) from public.my_invitations();
select is(pg_temp.sent(), 'kid guardian_accepted', 'the child is notified of the answer');
select pg_temp.act('tim');
select public.invite_guardian('mum@example.com');
select pg_temp.act('mum');
select public.answer_invitation(id, false) from public.my_invitations();
select is(pg_temp.sent(), 'mum guardian_invited, tim guardian_declined', 'also when the answer is no');

-- Teams: an adult.
reset role;
delete from public.team_members where user_id = pg_temp.id('ann');
select pg_temp.sent(), pg_temp.tomorrow();
create function pg_temp.owls() returns uuid
language sql security definer
as $$ select id from public.teams where name = 'Owls' $$;
select pg_temp.act('ann');
select public.ask_to_join(pg_temp.owls());
select is(pg_temp.sent(), 'cal member_asked Owls, cam member_asked Owls', 'the coaches are notified of a request');
select pg_temp.act('cam');
select public.accept_member(pg_temp.owls(), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann team_joined Owls, cal member_joined Owls', 'the member and the other coach are notified of the answer');
select public.leave_team(pg_temp.owls(), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann team_removed Owls', 'a member whom a coach removes is notified');
reset role;
select pg_temp.tomorrow();
select pg_temp.act('cam');
select public.invite_to_team(pg_temp.owls(), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann team_invited Owls', 'the player is notified of an invitation');
select pg_temp.act('ann');
select public.leave_team(pg_temp.owls());
select is(pg_temp.sent(), 'cal member_declined Owls, cam member_declined Owls', 'the coaches are notified when it is declined');
reset role;
select pg_temp.tomorrow();
select pg_temp.act('cam');
select public.invite_to_team(pg_temp.owls(), pg_temp.id('ann'));
select public.leave_team(pg_temp.owls(), pg_temp.id('ann'));
select is(pg_temp.sent(), 'ann team_invited Owls, ann team_withdrawn Owls', 'the player is notified when a coach withdraws it');

-- Teams: a child with a guardian.
select pg_temp.act('kid');
select public.ask_to_join(pg_temp.owls());
select is(pg_temp.sent(), 'mum ward_asked Owls', 'of a child''s request only the guardian is notified');
select pg_temp.act('mum');
select public.accept_member(pg_temp.owls(), pg_temp.id('kid'));
select is(pg_temp.sent(), 'cal member_asked Owls, cam member_asked Owls, kid team_approved Owls', 'the coaches are, once the guardian has approved');
select pg_temp.act('cam');
select public.accept_member(pg_temp.owls(), pg_temp.id('kid'));
select is(pg_temp.sent(), 'cal member_joined Owls, kid team_joined Owls', 'the child is notified of the coach''s answer');
reset role;
delete from public.team_members where user_id = pg_temp.id('kid');
select pg_temp.tomorrow();
select pg_temp.sent();
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.owls(), pg_temp.id('kid'), 'player', 'invited');
select is(pg_temp.sent(), 'kid team_invited_ward Owls, mum ward_invited Owls', 'of an invitation both are notified');

-- Unverified coaches, and names that minors must not read.
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.owls(), pg_temp.id('coy'), 'coach', 'active');
select pg_temp.tomorrow();
select pg_temp.act('tim');
select public.ask_to_join(pg_temp.owls());
select is(pg_temp.sent(), 'cal member_asked Owls, cam member_asked Owls', 'an unverified coach is not notified of a minor''s request');
select pg_temp.act('coy');
reset role;
insert into public.teams (name, created_by, named_by) values ('Call me at 555', pg_temp.id('coy'), pg_temp.id('coy'));
update public.teams set vetted = false where name <> 'Owls';
insert into public.team_members (team_id, user_id, role, status)
select id, pg_temp.id('tim'), 'player', 'invited' from public.teams where name <> 'Owls';
select is(pg_temp.sent(), 'tim team_invited', 'a minor is not told a name that no verified coach has written');
insert into public.team_members (team_id, user_id, role, status)
select id, pg_temp.id('ann'), 'player', 'invited' from public.teams where name <> 'Owls';
select is(pg_temp.sent(), 'ann team_invited Call me at 555', 'an adult is');
delete from public.teams where name <> 'Owls';
select is(pg_temp.sent(), '', 'nobody is notified of memberships that end with their team');

-- Coaches and referrals.
insert into private.coach_verifications (coach_id) values (pg_temp.id('coy'));
select is(pg_temp.sent(), 'coy coach_verified', 'a coach is notified of the verification');
select pg_temp.tomorrow();
insert into private.referral_conversions (user_id, code)
select pg_temp.id('fay'), code from public.referral_codes where owner_id = pg_temp.id('ann');
select is(pg_temp.sent(), 'ann referred', 'the owner of a code is notified of who joins with it');

-- Suspended users, and failures.
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'A reason');
select pg_temp.tomorrow();
insert into public.follows (follower_id, followed_id) values (pg_temp.id('sam'), pg_temp.id('ann'));
select is(pg_temp.sent(), '', 'a suspended user is not notified');
delete from public.suspensions;
delete from public.follows;
drop table realtime.messages_of_this_test;
do $$
declare
  partition text;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'realtime.messages'::regclass loop
    execute 'drop table ' || partition;
  end loop;
end
$$;
set local client_min_messages = error;
select lives_ok($$insert into public.follows (follower_id, followed_id) values (pg_temp.id('sam'), pg_temp.id('ann'))$$,
  'a notification that cannot be sent does not keep anybody from following');
reset client_min_messages;
select is((select count(*) from public.follows), 1::bigint, 'the follow is stored');
delete from public.follows;
alter table private.notified rename to gone;
set local client_min_messages = error;
select lives_ok($$insert into public.follows (follower_id, followed_id) values (pg_temp.id('sam'), pg_temp.id('ann'))$$,
  'nor does any other failure');
reset client_min_messages;
alter table private.gone rename to notified;
create table realtime.messages_of_this_test partition of realtime.messages default;

-- Channels: users read their own, and nobody sends.
select private.notify_user(pg_temp.id('ann'), 'follows', 'followed', 'a'), private.notify_user(pg_temp.id('tim'), 'follows', 'followed', 'a');
select pg_temp.act('ann');
select results_eq('select distinct topic from realtime.messages', $$values ('user:' || pg_temp.id('ann'))$$, 'users read only their own channel');
select throws_ok($$insert into realtime.messages (topic, extension) values ('user:' || pg_temp.id('tim'), 'broadcast')$$, '42501', null, 'nobody sends to the channel of another user');
select throws_ok($$insert into realtime.messages (topic, extension) values ('user:' || pg_temp.id('ann'), 'broadcast')$$, '42501', null, 'nor to their own');
select throws_ok($$insert into realtime.messages (topic, extension) values ('user:' || pg_temp.id('ann'), 'presence')$$, '42501', null, 'nor tracks presence there');
reset role;
set local role anon;
select is_empty('select from realtime.messages', 'visitors read nothing');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'A reason');
select pg_temp.act('ann');
select is_empty('select from realtime.messages', 'suspended users read nothing');
select pg_temp.act('tim');
select isnt_empty('select from realtime.messages', 'a minor reads the own channel');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('tim'), 'role', 'authenticated', 'client_id', pg_temp.id('app'))::text, true);
select is_empty('select from realtime.messages', 'other apps read nothing');
reset role;

select has_index('public', 'users', 'users_lower_email_idx', array['lower(email)'], 'an invited address is found by an index');

select * from finish();
rollback;

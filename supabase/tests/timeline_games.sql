-- What final games add to the timeline: results and milestones, and who is told of posts.
begin;
select plan(47);
delete from auth.users;
delete from public.teams;
delete from public.leagues;
-- The service makes a partition for each day; here none runs.
create table realtime.messages_of_this_test partition of realtime.messages default;

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
create function pg_temp.team(called text) returns uuid
language sql stable security definer
as $$ select id from public.teams where name = called $$;
create function pg_temp.game(against text) returns uuid
language sql stable security definer
as $$ select id from public.games where against in (visitor_name, home_name) $$;
create function pg_temp.athlete(name text) returns uuid
language sql stable security definer
as $$ select athlete_id from public.athlete_identities where user_id = pg_temp.id(name) $$;
-- The results and milestones that a user reads.
create function pg_temp.reads(name text, scope text default 'all') returns text
language plpgsql
as $$
declare
  cards text;
begin
  perform pg_temp.act(name);
  select coalesce(string_agg(concat_ws(' ', coalesce(t.milestone, t.kind), t.amount, 'of ' || coalesce(t.author_name, t.team_name)), ', '
    order by coalesce(t.milestone, t.kind), t.author_name), '') into cards
  from public.timeline(scope) as t where t.kind <> 'post';
  perform set_config('role', 'none', true);
  return cards;
end
$$;

-- ann is public, kit 11, pri private. sue follows ann, fay nobody.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('ann', 'player'), ('pri', 'player'), ('kit', 'player'), ('fay', 'fan'), ('gus', 'fan'), ('sue', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('ann', 20), ('pri', 20), ('kit', 11), ('fay', 40), ('gus', 40), ('sue', 30)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
reset role;
insert into public.team_members (team_id, user_id, role, status, jersey)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active', jersey
from (values ('ann', '7'), ('pri', '8'), ('kit', '9')) as people (name, jersey);
insert into public.follows (follower_id, followed_id) values (pg_temp.id('sue'), pg_temp.id('ann'));
select pg_temp.act('cam');
select public.create_game(pg_temp.team('Owls'), 'Gulls', false, '2027-04-01', is_public => true);
select public.create_game(pg_temp.team('Owls'), 'Terns', true, '2027-04-02');
reset role;
insert into public.lineups (game_id, athlete_id, side, bat_order, position)
select g.id, pg_temp.athlete(name), case when g.visitor_name = 'Owls' then 0 else 1 end, players.place, players.place
from public.games as g, (values ('ann', 1), ('pri', 2), ('kit', 3)) as players (name, place);
insert into public.player_game_batting (game_id, athlete_id, side, pa, ab, h, hr, rbi)
select g.id, pg_temp.athlete(name), 0, 5, 5, h, hr, rbi
from public.games as g, (values ('ann', 4, 2, 5), ('pri', 1, 1, 1), ('kit', 2, 1, 1)) as lines (name, h, hr, rbi);
insert into public.player_game_pitching (game_id, athlete_id, side, number, so, w, sho)
select pg_temp.game('Gulls'), pg_temp.athlete('ann'), 0, 1, 12, 1, 1;

select is((select count(*) from public.posts), 0::bigint, 'a game that is not final is nothing');
update public.games set status = 'final' where id = pg_temp.game('Gulls');
select is((select count(*) from public.posts where kind = 'result'), 1::bigint, 'a final game is a result');
select is(pg_temp.reads('cam'),
  'first_home_run of ann, first_home_run of kit, first_home_run of pri, first_win of ann, hits 4 of ann, home_runs 2 of ann, rbi 5 of ann, result of Owls, shutout of ann, strikeouts 12 of ann',
  'with the milestones of its players');
select is(pg_temp.reads('ann'),
  'first_home_run of ann, first_home_run of Owls, first_win of ann, hits 4 of ann, home_runs 2 of ann, rbi 5 of ann, result of Owls, shutout of ann, strikeouts 12 of ann',
  'an adult team mate reads none of a child, and no name that is private');
select is(pg_temp.reads('gus') like '%first_home_run of kit%', true, 'the guardian does');
select is(pg_temp.reads('fay'), 'first_home_run of ann, first_win of ann, hits 4 of ann, home_runs 2 of ann, rbi 5 of ann, shutout of ann, strikeouts 12 of ann',
  'a stranger reads those of public players, and no results of strange teams');
select is(pg_temp.reads('sue') like '%result of Owls%', true, 'a follower of a player reads the result');
select is(pg_temp.reads('sue', 'following') like '%result of Owls%', true, 'in the list of those followed, too');
select pg_temp.act('anon');
select throws_ok($$select public.timeline()$$, '42501', null, 'visitors read nothing');
reset role;

update public.games set status = 'final' where id = pg_temp.game('Terns');
select is((select count(*) from public.posts where milestone = 'first_home_run' and game_id = pg_temp.game('Terns')), 0::bigint, 'a first home run is one');
select is(pg_temp.reads('fay') like '%result%', false, 'a game of the team alone is shown to nobody else');
select is((select count(*) from public.posts where game_id = pg_temp.game('Terns') and kind = 'result'), 1::bigint, 'it is a result');
select pg_temp.act('fay');
select is((select count(*) from public.posts where game_id = pg_temp.game('Terns')), 0::bigint, 'that strangers do not read, nor its milestones');

-- By its address.
reset role;
create function pg_temp.result(against text) returns uuid
language sql stable security definer
as $$ select id from public.posts where kind = 'result' and game_id = pg_temp.game(against) $$;
select pg_temp.act('fay');
select results_eq($$select kind, team_name from public.timeline('post', only_id => pg_temp.result('Gulls'))$$, $$values ('result', 'Owls')$$, 'a stranger reads the result of a public game by its address');
select is_empty($$select * from public.timeline('post', only_id => pg_temp.result('Terns'))$$, 'but not that of a game that is not public');
select is_empty($$select * from public.timeline('post', only_id => gen_random_uuid())$$, 'an unknown address has no post');
select is_empty($$select * from public.timeline('post')$$, 'the scope post needs an id');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('post', pg_temp.result('Gulls')::text, 'minor_safety')$$, 'a result is reported');
select throws_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('post', pg_temp.result('Terns')::text, 'spam')$$, 'PT404', null, 'but only by those who read it');
reset role;
select results_eq($$select subject_user_id, status from public.reports where subject_kind = 'post'$$, $$values (null::uuid, 'open')$$, 'it accuses nobody');
update public.users set is_admin = true where id = pg_temp.id('gus');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('gus'), 'totp', 'verified', now(), now());
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('gus'), 'role', 'authenticated', 'aal', 'aal2')::text, true), set_config('role', 'authenticated', true);
select public.admin_moderate('post', pg_temp.result('Gulls'), true, 'It names a child.');
select pg_temp.act('fay');
select is_empty($$select * from public.timeline('post', only_id => pg_temp.result('Gulls'))$$, 'an admin removes it');
reset role;
update public.posts set state = 'shown' where id = pg_temp.result('Gulls');
update public.users set is_admin = false where id = pg_temp.id('gus');
select pg_temp.act('ann');
select is((select count(*) from public.posts where game_id = pg_temp.game('Terns') and kind = 'result'), 1::bigint, 'but the team');

-- Players and guardians decline milestones; corrections do not bring them back.
select lives_ok($$delete from public.posts where milestone = 'shutout'$$, 'a player deletes a milestone');
select throws_ok($$insert into public.post_comments (post_id, body) select id, 'x' from public.posts where kind = 'result' limit 1$$, '42501', 'Results have no comments.', 'results have no comments');
select lives_ok($$insert into public.post_likes (post_id) select id from public.posts where kind = 'result' and game_id = pg_temp.game('Gulls')$$, 'but likes');
select lives_ok($$delete from public.posts where kind = 'result'$$, 'users delete results');
reset role;
select is((select count(*) from public.posts where kind = 'result'), 2::bigint, 'in vain');
update public.player_game_batting set h = 5, hr = 1 where game_id = pg_temp.game('Gulls') and athlete_id = pg_temp.athlete('ann');
update public.games set revision = revision + 1 where id = pg_temp.game('Gulls');
select results_eq($$select milestone, amount from public.posts where kind = 'milestone' and author_id = pg_temp.id('ann') and game_id = pg_temp.game('Gulls') order by 1$$,
  $$values ('first_home_run', null::smallint), ('first_win', null::smallint), ('hits', 5::smallint), ('rbi', 5::smallint), ('strikeouts', 12::smallint)$$, 'a correction changes the milestones');
select is((select count(*) from public.post_likes), 1::bigint, 'and keeps the likes');
update public.games set status = 'live' where id = pg_temp.game('Gulls');
select is((select count(*) from public.posts where game_id = pg_temp.game('Gulls')), 0::bigint, 'a game that goes on takes its posts back');
insert into public.games (visitor_name, home_name, played_on) values ('Jays', 'Rays', '2016-04-01');
update public.games set status = 'final' where visitor_name = 'Jays';
select is((select count(*) from public.posts where game_id = pg_temp.game('Jays')), 0::bigint, 'games of archives are no posts');

-- Who is told.
delete from realtime.messages;
select pg_temp.act('ann');
insert into public.posts (id, visibility, body) values (pg_temp.id('one'), 'public', 'secret words'), (pg_temp.id('two'), 'self', 'x');
reset role;
select results_eq($$select topic, payload ->> 'id', private from realtime.messages$$, $$values ('timeline', pg_temp.id('one')::text, true)$$, 'a post is told by its id, one for oneself to nobody');
select is((select count(*) from realtime.messages where payload::text like '%secret%'), 0::bigint, 'without its words');
select set_config('realtime.topic', 'timeline', true);
select pg_temp.act('fay');
select is((select count(*) from realtime.messages where topic = 'timeline'), 1::bigint, 'users may join the channel');
select pg_temp.act('anon');
select is((select count(*) from realtime.messages where topic = 'timeline'), 0::bigint, 'visitors may not');
select pg_temp.act('fay');
select throws_ok($$insert into realtime.messages (topic, extension, payload, event, private) values ('timeline', 'broadcast', '{}', 'post', true)$$, '42501', null, 'nobody sends to it');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('fay'), 'for the test');
select pg_temp.act('fay');
select is((select count(*) from realtime.messages where topic = 'timeline'), 0::bigint, 'nor do the suspended');
select pg_temp.act('ann');
delete from public.posts where body = 'secret words';
reset role;
select is((select count(*) from realtime.messages where payload ->> 'gone' = 'true'), 1::bigint, 'what is deleted is taken away live');

-- Posts to a team and milestones are told on the channel of the team.
delete from realtime.messages;
select pg_temp.act('ann');
insert into public.posts (id, visibility, team_id, body) values (pg_temp.id('tea'), 'team', pg_temp.team('Owls'), 'to the team');
reset role;
select results_eq($$select topic, payload ->> 'id' from realtime.messages$$, $$values ('timeline:' || pg_temp.team('Owls'), pg_temp.id('tea')::text)$$, 'a post to the team is told to the team alone');
delete from realtime.messages;
update public.posts set state = 'held' where id = pg_temp.id('tea');
select pg_temp.act('ann');
delete from public.posts where id = pg_temp.id('tea');
reset role;
select results_eq($$select topic, payload ->> 'gone' from realtime.messages$$,
  $$select 'timeline:' || pg_temp.team('Owls'), 'true' from generate_series(1, 2)$$, 'so are its moderation and its end');
delete from realtime.messages;
update public.games set status = 'final' where id = pg_temp.game('Gulls');
select results_eq($$select p.kind, m.topic from realtime.messages as m join public.posts as p on p.id::text = m.payload ->> 'id' group by 1, 2 order by 1$$,
  $$values ('milestone', 'timeline:' || pg_temp.team('Owls')), ('result', 'timeline')$$, 'milestones are told to the team, the result to all');
-- Whether a user gets messages of the team's channel.
create function pg_temp.hears(name text) returns boolean
language plpgsql
as $$
declare
  heard boolean;
begin
  perform set_config('realtime.topic', 'timeline:' || pg_temp.team('Owls'), true);
  perform pg_temp.act(name);
  select exists (select from realtime.messages as m where m.topic = 'timeline:' || pg_temp.team('Owls')) into heard;
  perform set_config('role', 'none', true);
  return heard;
end
$$;
select is(pg_temp.hears('ann'), true, 'players join the channel of their team');
select is(pg_temp.hears('cam'), true, 'its coaches do');
select is(pg_temp.hears('gus'), true, 'and guardians of its players');
select is(pg_temp.hears('sue') or pg_temp.hears('anon'), false, 'followers and visitors do not');
update public.team_members set status = 'asked' where user_id = pg_temp.id('pri');
select is(pg_temp.hears('pri'), false, 'nor somebody who has only asked to join');
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'for the test');
select is(pg_temp.hears('ann'), false, 'nor a suspended player');
select * from finish();
rollback;

-- Posts, likes, comments and their moderation: by role and operation.
begin;
select plan(96);
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
-- What a user reads, by the texts.
create function pg_temp.reads(name text, scope text default 'all') returns text
language plpgsql
as $$
declare
  texts text;
begin
  perform pg_temp.act(name);
  select coalesce(string_agg(t.body, ' ' order by t.body), '') into texts from public.timeline(scope) as t where t.kind = 'post';
  perform set_config('role', 'none', true);
  return texts;
end
$$;
create function pg_temp.post(text) returns uuid
language sql stable security definer
as $$ select id from public.posts where body = $1 $$;
create function pg_temp.comment(text) returns uuid
language sql stable security definer
as $$ select id from public.post_comments where body = $1 $$;

-- Adults: ann (public), pri (private), bob (a stranger), cam (a verified coach), cal (one who is not), gus (guardian of kit and
-- mia), adm (an admin). Minors: kit 11, mia 15 (not public), tom 16 (public), zed 15 (a stranger).
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('cam', 'coach'), ('cal', 'coach'), ('ann', 'player'), ('pri', 'player'), ('bob', 'fan'), ('kit', 'player'), ('mia', 'player'),
  ('tom', 'player'), ('zed', 'player'), ('gus', 'fan'), ('adm', 'fan'), ('sue', 'fan'), ('new', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('ann', 20), ('pri', 20), ('bob', 30), ('kit', 11), ('mia', 15), ('tom', 16), ('zed', 15), ('gus', 40),
  ('adm', 40), ('sue', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
select pg_temp.id(name), pg_temp.id('gus'), 'gus@example.com', 'accepted' from (values ('kit'), ('mia')) as wards (name);
update public.users set public_profile = true where id in (pg_temp.id('tom'), pg_temp.id('zed'));
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
select pg_temp.act('cal');
select public.create_team('Crows');
reset role;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active' from (values ('pri'), ('kit'), ('mia'), ('tom')) as people (name);
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Crows'), pg_temp.id('ann'), 'player', 'active');
insert into public.follows (follower_id, followed_id) values (pg_temp.id('bob'), pg_temp.id('ann')), (pg_temp.id('bob'), pg_temp.id('tom'));

-- Posting.
select pg_temp.act('anon');
select throws_ok($$select * from public.posts$$, '42501', null, 'visitors read nothing');
select throws_ok($$select public.timeline()$$, '42501', null, 'nor the list');
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'x')$$, '42501', null, 'nor do they post');
select pg_temp.act('ann');
select lives_ok($$insert into public.posts (visibility, body) values ('public', 'ann-public'), ('followers', 'ann-followers'), ('self', 'ann-self')$$, 'an adult posts');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Crows'), 'ann-team')$$, 'to the team, too');
select throws_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'x')$$, '42501', null, 'not to other teams');
select throws_ok($$insert into public.posts (visibility, body) values ('team', 'x')$$, '23514', null, 'a team post names its team');
select throws_ok($$insert into public.posts (visibility, team_id, body) values ('public', pg_temp.team('Crows'), 'x')$$, '23514', null, 'other posts name none');
select throws_ok($$insert into public.posts (visibility, body) values ('public', ' ')$$, '23514', null, 'a post says something');
select throws_ok($$insert into public.posts (visibility, body) values ('public', repeat('x', 2001))$$, '23514', null, 'in 2000 characters');
select throws_ok($$insert into public.posts (author_id, visibility, body) values (pg_temp.id('bob'), 'public', 'x')$$, '42501', null, 'nobody posts for others');
select throws_ok($$insert into public.posts (kind, visibility, body) values ('milestone', 'public', 'x')$$, '42501', null, 'nobody makes milestones');
select throws_ok($$update public.posts set body = 'y'$$, '42501', null, 'posts do not change');
select pg_temp.act('pri');
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'x')$$, '42501', 'Your profile is not public, so nobody would see a public post.', 'a private user posts nothing in public');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'pri-team')$$, 'but to the team');
select pg_temp.act('mia');
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'x')$$, '42501', null, 'without consent a minor posts nothing in public');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'mia-team')$$, 'but to the team');
select pg_temp.act('tom');
select lives_ok($$insert into public.posts (visibility, body) values ('public', 'tom-public')$$, 'with it, a minor posts in public');
select throws_ok($$insert into public.posts (visibility, body, media) values ('public', 'x', pg_temp.id('tom') || '/' || pg_temp.id('pic') || '.jpg')$$, '42501', 'Under 18, your guardian adds photos and videos to your profile.', 'without pictures');
select pg_temp.act('kit');
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'x')$$, '42501', 'Under 13, posts go to your team or stay with you.', 'a child posts nothing in public');
select throws_ok($$insert into public.posts (visibility, body) values ('followers', 'x')$$, '42501', null, 'nor to followers');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'kit-team')$$, 'but to the team');
select pg_temp.act('new');
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'x')$$, '42501', null, 'without a birth date nobody posts in public');
select pg_temp.act('cal');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Crows'), 'cal-team')$$, 'a coach posts to a team of adults');
reset role;
select set_config('request.jwt.claims', '', true);
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Crows'), pg_temp.id('zed'), 'player', 'active');
select pg_temp.act('cal');
select throws_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Crows'), 'x')$$, '42501', null, 'who is not verified posts nothing to minors');
select pg_temp.act('ann');
select throws_ok($$insert into public.posts (visibility, body, media) values ('public', 'x', pg_temp.id('ann') || '/' || pg_temp.id('pic') || '.jpg')$$, 'PT404', null, 'the file has to be there');
reset role;
insert into storage.objects (bucket_id, name) values ('post-media', pg_temp.id('bob') || '/' || pg_temp.id('pic') || '.jpg'),
  ('post-media', pg_temp.id('ann') || '/' || pg_temp.id('pic') || '.jpg');
select pg_temp.act('ann');
select throws_ok($$insert into public.posts (visibility, body, media) values ('public', 'x', pg_temp.id('bob') || '/' || pg_temp.id('pic') || '.jpg')$$, '23514', null, 'and to be the author''s');
select lives_ok($$insert into public.posts (visibility, body, media, media_alt) values ('followers', 'ann-photo', pg_temp.id('ann') || '/' || pg_temp.id('pic') || '.jpg', 'A glove')$$, 'a post with a photo');
-- The files follow the posts.
select results_eq($$select name from storage.objects where bucket_id = 'post-media'$$, $$values (pg_temp.id('ann') || '/' || pg_temp.id('pic') || '.jpg')$$, 'the author reads the file');
select pg_temp.act('sue');
select is((select count(*) from storage.objects where bucket_id = 'post-media'), 0::bigint, 'a stranger does not');
select pg_temp.act('bob');
select is((select count(*) from storage.objects where bucket_id = 'post-media'), 2::bigint, 'a follower does, beside the own file');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('post-media', pg_temp.id('ann') || '/' || pg_temp.id('oth') || '.jpg')$$, '42501', null, 'nobody adds files for others');
select pg_temp.act('mia');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('post-media', pg_temp.id('mia') || '/' || pg_temp.id('oth') || '.jpg')$$, '42501', null, 'nor do minors add any');
select pg_temp.act('ann');
select lives_ok($$delete from public.posts where body = 'ann-photo'$$, 'the author deletes the post');
reset role;
select is((select count(*) from storage.objects where bucket_id = 'post-media'), 1::bigint, 'the file goes with it');
delete from public.team_members where user_id = pg_temp.id('zed');

-- Who reads what: the matrix.
select is(pg_temp.reads('ann'), 'ann-followers ann-public ann-self ann-team cal-team tom-public', 'the author reads all of the own posts');
select is(pg_temp.reads('bob'), 'ann-followers ann-public tom-public', 'a follower');
select is(pg_temp.reads('sue'), 'ann-public tom-public', 'a stranger: nothing of private users or children');
select is(pg_temp.reads('cam'), 'ann-public kit-team mia-team pri-team tom-public', 'the coach reads what goes to the team');
select is(pg_temp.reads('pri'), 'ann-public mia-team pri-team tom-public', 'an adult team mate reads nothing of children');
select is(pg_temp.reads('mia'), 'kit-team mia-team pri-team tom-public', 'a minor team mate reads no strangers');
select is(pg_temp.reads('gus'), 'ann-public kit-team mia-team pri-team tom-public', 'the guardian');
select is(pg_temp.reads('kit'), 'kit-team mia-team pri-team tom-public', 'nor does a child');
select is(pg_temp.reads('new'), '', 'nor does who has told no birth date');
select is(pg_temp.reads('adm'), 'ann-public tom-public', 'an admin reads no more than others');
select is(pg_temp.reads('bob', 'following'), 'ann-followers ann-public tom-public', 'the list of those followed');
select is(pg_temp.reads('cam', 'team'), 'kit-team mia-team pri-team', 'the list of the team');
select is(pg_temp.reads('sue', 'mine'), '', 'the list of the own ones');
update public.follows set muted = true where follower_id = pg_temp.id('bob') and followed_id = pg_temp.id('ann');
select is(pg_temp.reads('bob'), 'tom-public', 'muted authors are not listed');
update public.follows set muted = false where follower_id = pg_temp.id('bob');
update public.users set public_profile = false where id = pg_temp.id('tom');
select is(pg_temp.reads('sue'), 'ann-public', 'consent that is withdrawn hides earlier posts');
update public.users set public_profile = true where id = pg_temp.id('tom');
update public.guardianships set audience = 'family' where ward_id = pg_temp.id('kit');
select is(pg_temp.reads('mia'), 'mia-team pri-team tom-public', 'a child whom the guardian keeps in the family is hidden from the team');
select pg_temp.act('kit');
select throws_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'x')$$, '42501', null, 'and posts nothing to it');
reset role;
update public.guardianships set audience = 'team' where ward_id = pg_temp.id('kit');
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'for the test');
select is(pg_temp.reads('bob'), 'tom-public', 'posts of the suspended vanish');
select is(pg_temp.reads('ann'), '', 'and they read nothing');
update public.suspensions set lifted_at = now() where user_id = pg_temp.id('ann');
select is(pg_temp.reads('bob'), 'ann-followers ann-public tom-public', 'until the suspension is lifted');
select pg_temp.act('ann');
select lives_ok($$insert into public.blocks (blocked_id) values (pg_temp.id('bob'))$$, 'a user blocks another');
select throws_ok($$insert into public.blocks (blocker_id, blocked_id) values (pg_temp.id('bob'), pg_temp.id('tom'))$$, '42501', null, 'nobody blocks for others');
select is(pg_temp.reads('bob'), 'tom-public', 'who then sees the posts no longer');
select pg_temp.act('bob');
select is((select count(*) from public.blocks), 0::bigint, 'and is not told');
select lives_ok($$insert into public.posts (visibility, body) values ('public', 'bob-public')$$, 'the other posts');
select is(pg_temp.reads('ann'), 'ann-followers ann-public ann-self ann-team cal-team tom-public', 'unseen by who blocks');
select pg_temp.act('ann');
select lives_ok($$delete from public.blocks$$, 'a block ends');
select is(pg_temp.reads('ann'), 'ann-followers ann-public ann-self ann-team bob-public cal-team tom-public', 'and both see one another');

-- Likes.
select pg_temp.act('bob');
select lives_ok($$insert into public.post_likes (post_id) values (pg_temp.post('ann-public'))$$, 'a user likes a post');
select throws_ok($$insert into public.post_likes (post_id) values (pg_temp.post('kit-team'))$$, '42501', null, 'that is visible');
select throws_ok($$insert into public.post_likes (post_id, user_id) values (pg_temp.post('tom-public'), pg_temp.id('sue'))$$, '42501', null, 'nobody likes for others');
select pg_temp.act('sue');
select is((select count(*) from public.post_likes), 0::bigint, 'nobody reads who likes what');
select results_eq($$select likes, liked from public.timeline(only_id => pg_temp.post('ann-public'))$$, $$values (1, false)$$, 'only how many do');
select pg_temp.act('mia');
select lives_ok($$insert into public.post_likes (post_id) values (pg_temp.post('pri-team'))$$, 'a minor with a private profile likes a post of the team');
select results_eq($$select likes, liked from public.timeline(only_id => pg_temp.post('pri-team'))$$, $$values (1, true)$$, 'and counts the own like');
select pg_temp.act('cam');
select results_eq($$select likes, liked from public.timeline(only_id => pg_temp.post('pri-team'))$$, $$values (0, false)$$, 'which nobody else does');
select pg_temp.act('bob');
select results_eq($$delete from public.post_likes returning post_id$$, $$values (pg_temp.post('ann-public'))$$, 'a like is taken back');

-- Comments. A minor reads the posts of those whom the minor follows.
reset role;
insert into public.follows (follower_id, followed_id) values (pg_temp.id('mia'), pg_temp.id('ann'));
select pg_temp.act('bob');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('ann-public'), 'bob-on-ann')$$, 'adults comment on adults');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('tom-public'), 'x')$$, '42501',
  'Only verified coaches, guardians and young team mates comment on posts of players under 18.', 'a stranger writes nothing to a minor');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('kit-team'), 'x')$$, '42501', null, 'nor to what is not visible');
select pg_temp.act('pri');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('mia-team'), 'x')$$, '42501', null, 'nor does an adult team mate');
select pg_temp.act('cam');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('tom-public'), 'cam-on-tom'), (pg_temp.post('kit-team'), 'cam-on-kit')$$, 'a verified coach does');
select pg_temp.act('gus');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('kit-team'), 'gus-on-kit')$$, 'so does the guardian');
select pg_temp.act('mia');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('kit-team'), 'mia-on-kit')$$, 'and a minor of the team');
select is((select count(*) from public.post_comments where body = 'bob-on-ann'), 0::bigint, 'a minor does not read strangers'' comments');
select results_eq($$select comments from public.timeline(only_id => pg_temp.post('ann-public'))$$, $$values (0)$$, 'nor does the count have them');
select pg_temp.act('kit');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('ann-public'), 'x')$$, '42501', null, 'a child comments on nothing public');
select results_eq($$select body from public.post_comments order by body$$, $$values ('cam-on-kit'), ('cam-on-tom'), ('gus-on-kit'), ('mia-on-kit')$$, 'and reads the comments of those it knows');
select pg_temp.act('ann');
select lives_ok($$delete from public.post_comments where body = 'bob-on-ann'$$, 'the author of a post deletes comments on it');
select is(pg_temp.comment('bob-on-ann'), null, 'they are gone');
select pg_temp.act('sue');
select lives_ok($$delete from public.post_comments$$, 'a stranger deletes');
select isnt(pg_temp.comment('cam-on-tom'), null, 'nothing');
select pg_temp.act('gus');
select lives_ok($$delete from public.posts where body = 'mia-team'$$, 'a guardian deletes a ward''s post');
select is(pg_temp.post('mia-team'), null, 'it is gone');

-- Moderation.
select pg_temp.act('adm');
select is((select count(*) from public.posts where body = 'kit-team'), 0::bigint, 'an admin does not read what nobody reported');
reset role;
insert into public.reports (reporter_id, subject_kind, subject_id, reason)
select pg_temp.id(name), 'post', pg_temp.post('bob-public'), 'abuse' from (values ('ann'), ('sue')) as reporters (name);
select is((select state from public.posts where body = 'bob-public'), 'shown', 'two reports hide nothing');
insert into public.reports (reporter_id, subject_kind, subject_id, reason) values (pg_temp.id('cam'), 'post', pg_temp.post('bob-public'), 'abuse');
select is(pg_temp.reads('sue'), 'ann-public tom-public', 'three do');
select pg_temp.act('sue');
select throws_ok($$select public.admin_moderate('post', pg_temp.post('bob-public'), true, 'Insults.')$$, '42501', null, 'users moderate nothing');
select pg_temp.act('adm');
select lives_ok($$select public.admin_moderate('post', pg_temp.post('bob-public'), true, 'Insults.')$$, 'an admin does');
select results_eq($$select state, removal_reason from public.posts where body = 'bob-public'$$, $$values ('removed', 'Insults.')$$, 'the post stays hidden, and the author reads why');
select is((select count(*) from public.reports where status = 'resolved' and resolution = 'Insults.'), 3::bigint, 'the reports are answered');
reset role;
select * from finish();
rollback;

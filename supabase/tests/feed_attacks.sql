-- Attacks on the timeline and the newsroom by users who know the rules that timeline.sql and newsroom.sql test.
begin;
select plan(67);
delete from auth.users;
delete from public.teams;
delete from public.leagues;
-- The realtime service makes a partition for each day, but does not run here.
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
create function pg_temp.post(text) returns uuid
language sql stable security definer
as $$ select id from public.posts where body = $1 $$;
create function pg_temp.state(text) returns text
language sql stable security definer
as $$ select state from public.posts where body = $1 $$;
create function pg_temp.article(called text) returns uuid
language sql stable security definer
as $$ select id from public.articles where title = called $$;
create function pg_temp.file(owner text, name text) returns text
language sql immutable
as $$ select pg_temp.id(owner) || '/' || pg_temp.id(name) || '.jpg' $$;
create function pg_temp.stored(text, text) returns boolean
language sql stable security definer
as $$ select exists (select from storage.objects as o where o.name = pg_temp.file($1, $2)) $$;
-- The texts of a table's rows that a user reads.
create function pg_temp.reads(name text, about text) returns text
language plpgsql
as $$
declare
  texts text;
begin
  perform pg_temp.act(name);
  execute format('select coalesce(string_agg(t.body, '' '' order by t.body), '''') from public.%I as t', about) into texts;
  perform set_config('role', 'none', true);
  return texts;
end
$$;

-- cam is the verified coach of the Owls, cob their other coach, whom nobody has verified; cic is a verified coach elsewhere. ann,
-- bob, sue and dan are adults, ann plays for the Owls. Minors of the Owls: mia 15 (private), hal 15 (hidden by gus), kit 11 (gus).
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', called, 'role', role, 'public_profile', true)
from (values ('cam', 'Cam', 'coach'), ('cob', 'Cob', 'coach'), ('cic', 'Cic', 'coach'), ('ann', 'Ann', 'player'), ('bob', 'Bob', 'fan'), ('sue', 'Sue', 'fan'),
  ('dan', 'Dan', 'fan'), ('mia', 'Mia Núñez', 'player'), ('hal', 'Hal Hidden', 'player'), ('kit', 'Kit Long', 'player'), ('gus', 'Gus', 'fan'),
  ('adm', 'Adm', 'fan')) as people (name, called, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cob', 40), ('cic', 40), ('ann', 20), ('bob', 30), ('sue', 30), ('dan', 30), ('mia', 15), ('hal', 15), ('kit', 11), ('gus', 40),
  ('adm', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile)
values (pg_temp.id('hal'), pg_temp.id('gus'), 'gus@example.com', 'accepted', true), (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted', false);
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam')), (pg_temp.id('cic'));
do $$ begin
  perform pg_temp.act('cam');
  perform public.create_team('Owls');
  perform pg_temp.act('cic');
  perform public.create_team('Jays');
end $$;
reset role;
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('cob'), 'coach', 'active'),
  (pg_temp.team('Owls'), pg_temp.id('ann'), 'player', 'active');

-- Texts of coaches whom nobody has verified.
select pg_temp.act('cob');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'cob-team')$$, 'an unverified coach posts to a team of adults');
reset role;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active' from unnest(array['mia', 'hal', 'kit']) as name;
select is(pg_temp.reads('mia', 'posts'), '', 'a minor who joins later does not read that post');
select is(pg_temp.reads('ann', 'posts'), 'cob-team', 'an adult of the team reads it');

-- Texts of minors.
select pg_temp.act('mia');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'mia-team')$$, 'a minor posts to the team');
select pg_temp.act('cam');
select lives_ok($$insert into public.posts (visibility, team_id, body) values ('team', pg_temp.team('Owls'), 'cam-team')$$, 'the verified coach posts to the team');
select pg_temp.act('mia');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('cam-team'), 'mia-on-cam')$$, 'the minor comments on the verified coach''s post');
select is(pg_temp.reads('cob', 'posts'), 'cam-team cob-team', 'an unverified coach reads no posts of minors');
select is(pg_temp.reads('cob', 'post_comments'), '', 'an unverified coach reads no comments of minors');
select is(pg_temp.reads('cam', 'posts'), 'cam-team cob-team mia-team', 'the verified coach reads the posts of minors');
select is(pg_temp.reads('ann', 'post_comments'), 'mia-on-cam', 'the team reads the comments of minors');
select pg_temp.act('bob');
select lives_ok($$insert into public.posts (visibility, body) values ('public', 'bob-public')$$, 'an adult outside the team posts publicly');
reset role;
insert into public.follows (follower_id, followed_id) select pg_temp.id(name), pg_temp.id('bob') from unnest(array['mia', 'hal']) as name;
select pg_temp.act('mia');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('bob-public'), 'x')$$, '42501',
  'Your profile is not public, so you comment on posts of your team only.', 'a minor with a private profile cannot comment on the public post');
select pg_temp.act('hal');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('bob-public'), 'x')$$, '42501', null, 'a minor hidden by the guardian cannot comment on it');
reset role;
update public.users set public_profile = true where id = pg_temp.id('mia');
select pg_temp.act('mia');
select lives_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('bob-public'), 'mia-on-bob')$$, 'a minor with a public profile comments on it');
select is(pg_temp.reads('sue', 'post_comments'), 'mia-on-bob', 'strangers read the public minor''s comment');
reset role;
update public.users set public_profile = false where id = pg_temp.id('mia');
select is(pg_temp.reads('sue', 'post_comments'), '', 'the comment is hidden when the profile becomes private');
select pg_temp.act('sue');
select results_eq(format($$select comments from public.timeline(only_id => %L)$$, pg_temp.post('bob-public')), $$values (0)$$, 'the number of comments leaves out hidden ones');

-- All subscribers of the channel learn the ids of all posts, also of those that they do not see.
select pg_temp.act('sue');
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('mia-team'), 'x')$$, '42501', 'This post is not there any more.', 'the error for a hidden post does not reveal that its author is a minor');
select throws_ok($$insert into public.post_comments (post_id, body) values (gen_random_uuid(), 'x')$$, '42501', 'This post is not there any more.', 'the error for an unknown post is the same as for a hidden one');
select throws_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('post', pg_temp.post('mia-team')::text, 'spam')$$, 'PT404', null, 'a user cannot report a post that the user does not see');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('post', pg_temp.post('bob-public')::text, 'spam')$$, 'a user reports a visible post');
select is(pg_temp.state('bob-public'), 'shown', 'a single report does not hide a post');

-- Deleting does not reset the limits.
select pg_temp.act('dan');
do $$ begin
  for n in 1..30 loop
    insert into public.posts (visibility, body) values ('public', 'spam');
    delete from public.posts where author_id = pg_temp.id('dan');
  end loop;
end $$;
select throws_ok($$insert into public.posts (visibility, body) values ('public', 'spam')$$, 'PT429', null, 'deleted posts count towards the limit of thirty a day');
do $$ begin
  for n in 1..60 loop
    insert into public.post_comments (post_id, body) values (pg_temp.post('bob-public'), 'spam');
    delete from public.post_comments where author_id = pg_temp.id('dan');
  end loop;
end $$;
select throws_ok($$insert into public.post_comments (post_id, body) values (pg_temp.post('bob-public'), 'spam')$$, 'PT429', null, 'deleted comments count towards the limit of sixty an hour');

-- Files.
reset role;
select set_config('request.jwt.claims', '', true);
insert into storage.objects (bucket_id, name) values ('post-media', pg_temp.file('bob', 'pic')), ('article-covers', pg_temp.file('adm', 'cov')), ('article-covers', pg_temp.file('cam', 'cov'));
insert into storage.objects (bucket_id, name, metadata) values ('post-media', pg_temp.file('bob', 'big'), '{"size": 50000000, "mimetype": "image/jpeg"}');
set local storage.allow_delete_query = 'true';
select pg_temp.act('bob');
select throws_ok($$insert into public.posts (visibility, body, media) values ('public', 'x', pg_temp.file('bob', 'big'))$$, 'PT413', null, 'a photo of 50 MB is refused');
delete from storage.objects where name = pg_temp.file('bob', 'big');
insert into public.posts (visibility, body, media) values ('public', 'bob-photo', pg_temp.file('bob', 'pic'));
delete from storage.objects where bucket_id = 'post-media';
select ok(pg_temp.stored('bob', 'pic'), 'the author cannot delete the file of a post');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('bob'), 'for the test');
select pg_temp.act('bob');
delete from storage.objects where bucket_id = 'post-media';
select ok(pg_temp.stored('bob', 'pic'), 'a suspended author cannot delete it, either');
reset role;
delete from public.suspensions;
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'client_id', 'app')::text, true) as app, set_config('role', 'authenticated', true)
from (values ('bob')) as people (name);
select is((select count(*) from storage.objects), 0::bigint, 'another app reads no file of a user''s posts');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('cam'), 'role', 'authenticated', 'client_id', 'app')::text, true) as app;
select is((select count(*) from storage.objects), 0::bigint, 'another app reads no covers');
select pg_temp.act('cam');
select is((select count(*) from storage.objects where bucket_id = 'article-covers'), 1::bigint, 'the author reads a cover that no article uses yet');
select pg_temp.act('adm');
insert into public.articles (title, body, cover) values ('site', 'Hello.', pg_temp.file('adm', 'cov'));
update public.articles set status = 'published' where title = 'site';
select pg_temp.act('cic');
select throws_ok($$insert into public.articles (title, team_id, cover) values ('theft', pg_temp.team('Jays'), pg_temp.file('adm', 'cov'))$$, '42501', null, 'an article cannot use another author''s cover');
delete from public.articles where title = 'theft';
select ok(pg_temp.stored('adm', 'cov'), 'the refused article does not delete the other author''s file');
select pg_temp.act('cam');
select throws_ok($$insert into public.articles (title, team_id, cover) values ('one', pg_temp.team('Owls'), pg_temp.file('cam', 'cov')), ('two', pg_temp.team('Owls'), pg_temp.file('cam', 'cov'))$$, '23505', null, 'two articles cannot share a cover');

-- Names of minors.
insert into public.articles (title, team_id, body, tags) values ('tagged', pg_temp.team('Owls'), 'A win.', array['hal hidden']),
  ('spaced', pg_temp.team('Owls'), E'And **Hal**  \n_Hidden_ doubled.', '{}'), ('plain', pg_temp.team('Owls'), 'And mia nunez doubled.', '{}'),
  ('whose', pg_temp.team('Owls'), 'Two runs on KIT LONG’S double.', '{}'), ('end', pg_temp.team('Owls'), '(by Kit Long.Then it rained)', '{}'),
  ('longer', pg_temp.team('Owls'), 'Kit Longman and Akit Long doubled.', '{}'),
  ('zero', pg_temp.team('Owls'), U&'And Hal\200B Hid\00ADden doubled.', '{}'), ('owls', pg_temp.team('Owls'), 'A win.', '{}');
select throws_ok($$update public.articles set status = 'published' where title = 'tagged'$$, 'PT400', null, 'a tag cannot name a hidden minor');
select throws_ok($$update public.articles set status = 'published' where title = 'spaced'$$, 'PT400', null, 'the name is found despite emphasis and other spaces');
select throws_ok($$update public.articles set status = 'published' where title = 'plain'$$, 'PT400', null, 'the name is found without its accents');
select throws_ok($$update public.articles set status = 'published' where title = 'zero'$$, 'PT400', null, 'the name is found despite invisible characters');
select throws_ok($$update public.articles set status = 'published' where title = 'whose'$$, 'PT400', null, 'the name is found as a possessive, in capitals');
select throws_ok($$update public.articles set status = 'published' where title = 'end'$$, 'PT400', null, 'the name is found at the end of a sentence');
select lives_ok($$update public.articles set status = 'published' where title = 'longer'$$, 'a longer name that contains it is allowed');
update public.articles set status = 'published' where title = 'owls';
select throws_ok($$select public.correct_article(pg_temp.article('owls'), 'It was Hal Hidden who won.', 'owls', '', 'A win.')$$, 'PT400', null, 'the note of a correction cannot name a hidden minor');

-- Corrections.
select lives_ok($$update public.articles set status = 'draft' where title = 'owls'$$, 'an article is withdrawn');
select lives_ok($$update public.articles set status = 'published' where title = 'owls'$$, 'the article is published again without changes');
select is((select count(*) from public.article_corrections), 0::bigint, 'an unchanged article gets no note');
select lives_ok($$update public.articles set status = 'draft' where title = 'owls'$$, 'the article is withdrawn again');
update public.articles set body = 'A loss.' where title = 'owls';
select lives_ok($$update public.articles set status = 'published' where title = 'owls'$$, 'the changed article is published');
select results_eq($$select note from public.article_corrections$$, $$values ('This article was withdrawn, and published again with changes.')$$, 'the corrections note that it was changed while withdrawn');
select lives_ok($$update public.articles set tags = '{win}' where title = 'owls'$$, 'its tags are changed later');
select is((select count(*) from public.article_corrections), 1::bigint, 'the later change adds no second note');

-- Limits.
do $$ begin
  for n in 1..42 loop
    insert into public.articles (title, team_id) values ('draft', pg_temp.team('Owls'));
  end loop;
end $$;
select throws_ok($$insert into public.articles (title, team_id) values ('draft', pg_temp.team('Owls'))$$, 'PT429', null, 'a coach''s fifty-first article of a day is refused');

-- Consent that ends. Tom is 16 and public when the article names him.
reset role;
select set_config('request.jwt.claims', '', true) as nobody;
insert into auth.users (id, email, raw_user_meta_data)
values (pg_temp.id('tom'), 'tom@example.com', '{"full_name": "Tom Tall", "role": "player"}');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id('tom'), private.today() - make_interval(years => 16));
update public.users set public_profile = true where id = pg_temp.id('tom');
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Jays'), pg_temp.id('tom'), 'player', 'active');
insert into public.articles (author_id, team_id, title, body) values (pg_temp.id('cic'), pg_temp.team('Jays'), 'jays', 'Tom Tall homered.');
select pg_temp.act('cic');
update public.articles set status = 'published' where title = 'jays';
select pg_temp.act('anon');
select is((select count(*) from public.articles where title = 'jays'), 1::bigint, 'an article names a public minor');
reset role;
update public.users set public_profile = false where id = pg_temp.id('tom');
select pg_temp.act('anon');
select is((select count(*) from public.articles where title = 'jays'), 0::bigint, 'the article is withheld when the minor''s profile becomes private');
select is(public.page_meta('/news-reel/' || pg_temp.article('jays')), null, 'the preview of the article is withheld');
select is(convert_from(public.news_rss(), 'UTF8') ~ 'jays', false, 'RSS leaves out the article');
select pg_temp.act('cic');
select is((select count(*) from public.articles where title = 'jays'), 1::bigint, 'the newsroom still sees the article');
select lives_ok($$select public.correct_article(pg_temp.article('jays'), 'A name is left out.', 'jays', '', 'The shortstop homered.')$$, 'the newsroom removes the name with a correction');
select pg_temp.act('anon');
select is((select count(*) from public.articles where title = 'jays'), 1::bigint, 'everybody reads the corrected article');

-- Former players: Tim turns private and then leaves, Tia leaves and then turns private.
reset role;
select set_config('request.jwt.claims', '', true) as nobody;
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', called, 'role', 'player')
from (values ('tim', 'Tim Short'), ('tia', 'Tia Wide')) as people (name, called);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), private.today() - make_interval(years => 16) from unnest(array['tim', 'tia']) as name;
update public.users set public_profile = true where id in (pg_temp.id('tim'), pg_temp.id('tia'));
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Jays'), pg_temp.id(name), 'player', 'active' from unnest(array['tim', 'tia']) as name;
insert into public.articles (author_id, team_id, title, body)
values (pg_temp.id('cic'), pg_temp.team('Jays'), 'jays-tim', 'Tim Short walked.'), (pg_temp.id('cic'), pg_temp.team('Jays'), 'jays-tia', 'Tia Wide walked.');
select pg_temp.act('cic');
update public.articles set status = 'published' where title in ('jays-tim', 'jays-tia');
select is(pg_temp.reads('anon', 'articles') ~ 'Tim Short' and pg_temp.reads('anon', 'articles') ~ 'Tia Wide', true, 'articles name two public minors');
select set_config('request.jwt.claims', '', true) as nobody;
update public.users set public_profile = false where id = pg_temp.id('tim');
delete from public.team_members where user_id in (pg_temp.id('tim'), pg_temp.id('tia'));
update public.users set public_profile = false where id = pg_temp.id('tia');
select is(pg_temp.reads('anon', 'articles') ~ 'Tia Wide', false, 'an article is withheld when a former player''s profile becomes private');
select pg_temp.act('cic');
select lives_ok($$update public.articles set comments_open = true where title = 'jays-tim'$$, 'the newsroom changes a setting of a withheld article');
reset role;
select is(pg_temp.reads('anon', 'articles') ~ 'Tim Short', false, 'the article stays withheld although the minor has left the team');
select pg_temp.act('cic');
select results_eq($$select title, names_minor from public.articles where title in ('jays', 'jays-tim') order by 1$$, $$values ('jays', false), ('jays-tim', true)$$, 'the newsroom sees which articles name a minor');
select throws_ok($$select public.correct_article(pg_temp.article('jays'), 'It was Tia Wide.', 'jays', '', 'The shortstop homered.')$$, 'PT400', null, 'a correction cannot name a former player with a private profile');
select pg_temp.act('anon');
select throws_ok($$select names_minor from public.articles$$, '42501', null, 'visitors cannot read names_minor');
reset role;
update public.users set public_profile = true where id = pg_temp.id('tom');
select pg_temp.act('cic');
select public.correct_article(pg_temp.article('jays'), 'The name is back.', 'jays', '', 'Tom Tall homered.');
reset role;
update public.users set public_profile = false where id = pg_temp.id('tom');
select lives_ok($$insert into public.suspensions (user_id, reason) values (pg_temp.id('cic'), 'for the test')$$, 'the author of a withheld article can be suspended');
select lives_ok($$delete from auth.users where id = pg_temp.id('cic')$$, 'the account of that author can be deleted');
update public.users set public_profile = true where id = pg_temp.id('tom');
select is((select withheld from public.articles where title = 'jays'), false, 'the article is no longer withheld when the profile becomes public again');
reset role;
select * from finish();
rollback;

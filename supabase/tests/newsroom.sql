-- Articles, their corrections, comments, covers, RSS and previews: by role and operation.
begin;
select plan(73);
delete from auth.users;
delete from public.teams;
delete from public.leagues;

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
create function pg_temp.article(called text) returns uuid
language sql stable security definer
as $$ select id from public.articles where title = called $$;
-- The titles that a user reads.
create function pg_temp.reads(name text) returns text
language plpgsql
as $$
declare
  titles text;
begin
  perform pg_temp.act(name);
  select coalesce(string_agg(a.title, ', ' order by a.title), '') into titles from public.articles as a;
  perform set_config('role', 'none', true);
  return titles;
end
$$;
create function pg_temp.rss() returns text
language sql
as $$ select convert_from(public.news_rss(), 'UTF8') $$;

-- cam is a verified coach with Kit Long, 11, Mia Short, 15 and private, and Tom Tall, 16 and public; cal is not verified.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', called, 'role', role)
from (values ('cam', 'Cam Coach', 'coach'), ('cal', 'Cal Coach', 'coach'), ('cob', 'Cob Coach', 'coach'), ('coy', 'Coy Coach', 'coach'), ('ann', 'Ann Adult', 'fan'), ('bob', 'Bob Adult', 'fan'),
  ('sue', 'Sue Adult', 'fan'), ('kit', 'Kit Long', 'player'), ('mia', 'Mia Short', 'player'), ('tom', 'Tom Tall', 'player'), ('gus', 'Gus Long', 'fan'),
  ('adm', 'Adm In', 'fan')) as people (name, called, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('cob', 40), ('coy', 40), ('ann', 30), ('bob', 30), ('sue', 30), ('kit', 11), ('mia', 15), ('tom', 16), ('gus', 40), ('adm', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
update public.users set public_profile = true where id = pg_temp.id('tom');
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam')), (pg_temp.id('cob')), (pg_temp.id('coy'));
select pg_temp.act('cam');
select public.create_team('Owls');
select pg_temp.act('cal');
select public.create_team('Crows');
reset role;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active' from (values ('kit'), ('mia'), ('tom')) as people (name);

-- Writing.
select pg_temp.act('anon');
select throws_ok($$insert into public.articles (title) values ('x')$$, '42501', null, 'visitors write nothing');
select throws_ok($$update public.articles set title = 'x'$$, '42501', null, 'nor change');
select throws_ok($$delete from public.articles$$, '42501', null, 'nor delete');
select pg_temp.act('ann');
select throws_ok($$insert into public.articles (title) values ('x')$$, '42501', null, 'users write nothing');
select throws_ok($$insert into public.articles (title, team_id) values ('x', pg_temp.team('Owls'))$$, '42501', null, 'nor for teams');
select pg_temp.act('cal');
select throws_ok($$insert into public.articles (title, team_id) values ('x', pg_temp.team('Crows'))$$, '42501', null, 'nor does a coach who is not verified');
select pg_temp.act('cam');
select lives_ok($$insert into public.articles (title, team_id, body) values ('owls-draft', pg_temp.team('Owls'), 'A **win**.'), ('owls-later', pg_temp.team('Owls'), 'Soon.')$$, 'a verified coach does');
select throws_ok($$insert into public.articles (title) values ('x')$$, '42501', null, 'not for the site');
select throws_ok($$insert into public.articles (title, team_id) values ('x', pg_temp.team('Crows'))$$, '42501', null, 'nor for other teams');
select throws_ok($$insert into public.articles (title, team_id, author_id) values ('x', pg_temp.team('Owls'), pg_temp.id('ann'))$$, '42501', null, 'nor in another name');
select throws_ok($$insert into public.articles (title, team_id, tags) values ('x', pg_temp.team('Owls'), array['Bad,Tag'])$$, '23514', null, 'tags are plain words');
select lives_ok($$update public.articles set tags = array['win', 'walk-off'] where title = 'owls-draft'$$, 'in small letters');
select throws_ok($$insert into public.articles (title, team_id, body) values ('x', pg_temp.team('Owls'), repeat('x', 40001))$$, '23514', null, 'a text has 40000 characters');
select pg_temp.act('adm');
select lives_ok($$insert into public.articles (title, body) values ('site-draft', 'Hello.')$$, 'an admin writes for the site');

-- Drafts, schedule, publication.
select is(pg_temp.reads('cam'), 'owls-draft, owls-later', 'a newsroom reads its drafts');
select is(pg_temp.reads('adm'), 'site-draft', 'an admin reads those of the site');
select is(pg_temp.reads('tom'), '', 'players of the team do not');
select is(pg_temp.reads('cob'), '', 'nor do other verified coaches');
select pg_temp.act('cam');
select throws_ok($$update public.articles set status = 'published', body = ' ' where title = 'owls-draft'$$, '23514', null, 'an empty article is not published');
select lives_ok($$update public.articles set status = 'published', published_at = now() - interval '1 day' where title = 'owls-draft'$$, 'a draft is published');
select is((select published_at from public.articles where title = 'owls-draft'), now(), 'now, not in the past');
select lives_ok($$update public.articles set status = 'published', published_at = now() + interval '1 day' where title = 'owls-later'$$, 'or scheduled');
select throws_ok($$update public.articles set published_at = now() + interval '2 years' where title = 'owls-later'$$, 'PT400', null, 'up to a year ahead');
select is(pg_temp.reads('anon'), 'owls-draft', 'visitors read what is published');
select is(pg_temp.reads('ann'), 'owls-draft', 'users, too');
select is(pg_temp.reads('cam'), 'owls-draft, owls-later', 'the newsroom also what is scheduled');
select pg_temp.act('ann');
select lives_ok($$update public.articles set title = 'x'$$, 'users change');
select lives_ok($$delete from public.articles$$, 'and delete');
select is((select count(*) from public.articles where title = 'owls-draft'), 1::bigint, 'nothing');

-- Corrections.
select pg_temp.act('cam');
select throws_ok($$update public.articles set body = 'A loss.' where title = 'owls-draft'$$, '42501', 'This article is published: correct it, and say what was wrong.', 'a published text is not changed in silence');
select lives_ok($$update public.articles set body = 'Sooner.' where title = 'owls-later'$$, 'a scheduled one is');
select throws_ok($$select public.correct_article(pg_temp.article('owls-draft'), ' ', 'owls-draft', '', 'A tie.')$$, 'PT400', null, 'a correction says what was wrong');
select lives_ok($$select public.correct_article(pg_temp.article('owls-draft'), 'The game was a tie.', 'owls-draft', '', 'A tie.')$$, 'a coach corrects');
select throws_ok($$update public.articles set body = 'A loss.' where title = 'owls-draft'$$, '42501', null, 'once');
select pg_temp.act('cob');
select throws_ok($$select public.correct_article(pg_temp.article('owls-draft'), 'Nonsense.', 'x', '', 'x')$$, '42501', null, 'other coaches do not');
select pg_temp.act('anon');
select results_eq($$select c.note, a.body from public.article_corrections as c join public.articles as a on a.id = c.article_id$$, $$values ('The game was a tie.', 'A tie.')$$, 'everybody reads the correction');
select throws_ok($$insert into public.article_corrections (article_id, note) values (pg_temp.article('owls-draft'), 'xxx')$$, '42501', null, 'nobody writes one past the function');

-- Minors.
select pg_temp.act('cam');
insert into public.articles (title, team_id, body) values ('owls-kit', pg_temp.team('Owls'), 'And then kit long doubled.'),
  ('owls-mia', pg_temp.team('Owls'), 'Mia Short pitched.'), ('owls-tom', pg_temp.team('Owls'), 'Tom Tall & <b>friends</b>.');
select throws_ok($$update public.articles set status = 'published' where title = 'owls-kit'$$, 'PT400', 'Kit Long is a minor who has not agreed to be public.', 'no article names a child');
select throws_ok($$update public.articles set status = 'published' where title = 'owls-mia'$$, 'PT400', null, 'nor a minor without consent');
select lives_ok($$update public.articles set status = 'published', summary = 'Tom Tall & <b>friends</b>' where title = 'owls-tom'$$, 'a minor with consent may be named');
select throws_ok($$select public.correct_article(pg_temp.article('owls-tom'), 'Left out.', 'owls-tom', '', 'Tom Tall and Kit Long.')$$, 'PT400', null, 'a correction names no child either');

-- RSS and previews.
select pg_temp.act('anon');
select matches(pg_temp.rss(), '<item><title>owls-(draft|tom)</title>', 'RSS has what is published');
select is(pg_temp.rss() ~ 'later|kit|mia|Kit|Mia|site-draft', false, 'and nothing else');
select matches(pg_temp.rss(), 'Tom Tall &amp; &lt;b&gt;friends', 'as text, not as markup');
select pg_temp.act('cam');
select is(pg_temp.rss() ~ 'later|kit|mia|Kit|Mia', false, 'also for signed-in callers');
select pg_temp.act('anon');
select is(public.page_meta('/news-reel/' || pg_temp.article('owls-tom')) ->> 'title', 'owls-tom', 'a preview of what is published');
select is(public.page_meta('/news-reel/' || pg_temp.article('owls-later')), null, 'of nothing else');

-- Suspensions and blocks.
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id('cam'), 'for the test');
select is(pg_temp.reads('anon'), '', 'articles of the suspended vanish');
select pg_temp.act('anon');
select is(pg_temp.rss() like '%<item>%', false, 'from RSS, too');
reset role;
update public.suspensions set lifted_at = now();
select is(pg_temp.reads('anon'), 'owls-draft, owls-tom', 'and come back');

-- A coach whose verification is withdrawn (issue 10, A4). coy coaches for cam, whose verification keeps the team's name public.
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.team('Owls'), pg_temp.id('coy'), 'coach', 'active');
select pg_temp.act('coy');
insert into public.articles (title, team_id, body) values ('owls-coy', pg_temp.team('Owls'), 'A tie.');
update public.articles set status = 'published' where title = 'owls-coy';
select matches(pg_temp.reads('anon') || ' | ' || pg_temp.reads('tom'), 'owls-coy.*owls-coy', 'everybody reads the article of a verified coach');
reset role;
delete from private.coach_verifications where coach_id = pg_temp.id('coy');
select is(pg_temp.reads('tom'), 'owls-draft, owls-tom', 'a minor no longer reads the article when the verification is withdrawn');
select is(pg_temp.reads('anon'), 'owls-draft, owls-tom', 'a visitor does not, either');
select is(pg_temp.reads('ann'), 'owls-coy, owls-draft, owls-tom', 'an adult still does');
select matches(pg_temp.reads('cam'), 'owls-coy', 'and so does the newsroom');
select pg_temp.act('anon');
select unalike(pg_temp.rss(), '%owls-coy%', 'the feed of the newsroom leaves it out');
select is(public.page_meta('/news-reel/' || pg_temp.article('owls-coy')), null, 'it has no preview');
reset role;
insert into private.coach_verifications (coach_id) values (pg_temp.id('coy'));
select is(pg_temp.reads('tom'), 'owls-coy, owls-draft, owls-tom', 'a minor reads it again when the coach is verified again');
update public.users set role = 'fan', user_type = 'fan' where id = pg_temp.id('coy');
select is(pg_temp.reads('tom'), 'owls-draft, owls-tom', 'not the article of a former coach');
insert into public.suspensions (user_id, reason) values (pg_temp.id('coy'), 'for the test');
update public.users set role = 'coach', user_type = 'coach' where id = pg_temp.id('coy');
update public.suspensions set lifted_at = now();
select is(pg_temp.reads('tom'), 'owls-coy, owls-draft, owls-tom', 'a coach again, whose suspension is lifted');
delete from private.coach_verifications where coach_id = pg_temp.id('coy');
delete from auth.users where id = pg_temp.id('coy');
select is(pg_temp.reads('tom'), 'owls-draft, owls-tom', 'deleting the account does not show the article again');
delete from public.articles where title = 'owls-coy';

-- Comments: off unless the newsroom opens them, and off for minors.
select pg_temp.act('ann');
select throws_ok($$insert into public.article_comments (article_id, body) values (pg_temp.article('owls-draft'), 'x')$$, '42501', null, 'comments are off by default');
select pg_temp.act('cam');
select lives_ok($$update public.articles set comments_open = true where title = 'owls-draft'$$, 'the newsroom opens them');
select pg_temp.act('ann');
select lives_ok($$insert into public.article_comments (article_id, body) values (pg_temp.article('owls-draft'), 'Well done.')$$, 'an adult comments');
select pg_temp.act('bob');
select is((select count(*) from public.article_comments), 1::bigint, 'adults read it');
select pg_temp.act('tom');
select is((select count(*) from public.article_comments), 0::bigint, 'a minor does not');
select throws_ok($$insert into public.article_comments (article_id, body) values (pg_temp.article('owls-draft'), 'x')$$, '42501', null, 'nor write one');
select pg_temp.act('anon');
select throws_ok($$select * from public.article_comments$$, '42501', null, 'visitors read none');
reset role;
insert into public.reports (reporter_id, subject_kind, subject_id, reason)
select pg_temp.id(name), 'article_comment', (select id from public.article_comments), 'abuse' from (values ('bob'), ('sue'), ('cob')) as reporters (name);
select pg_temp.act('bob');
select is((select count(*) from public.article_comments), 0::bigint, 'what three users report is hidden');
select pg_temp.act('adm');
select lives_ok($$select public.admin_moderate('article_comment', (select id from public.article_comments), false, 'Harmless.')$$, 'an admin lets it stand');
select pg_temp.act('bob');
select is((select count(*) from public.article_comments), 1::bigint, 'and it is back');
select pg_temp.act('cam');
select lives_ok($$delete from public.article_comments$$, 'the newsroom deletes comments');
reset role;
select is((select count(*) from public.article_comments), 0::bigint, 'of its articles');
select * from finish();
rollback;

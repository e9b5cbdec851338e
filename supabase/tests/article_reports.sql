-- Reports of articles and their moderation, by role and operation.
begin;
select plan(31);
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
-- The articles that somebody reads.
create function pg_temp.reads(name text) returns text
language plpgsql
as $$
declare
  titles text;
begin
  perform pg_temp.act(name);
  select coalesce(string_agg(a.title, ' ' order by a.title), '') into titles from public.articles as a;
  perform set_config('role', 'none', true);
  return titles;
end
$$;
create function pg_temp.cover() returns text language sql immutable as $$ select pg_temp.id('cam') || '/' || pg_temp.id('pic') || '.jpg' $$;

-- cam is a verified coach of the Owls; ann is an adult, tom 15; adm is an admin.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role)
from (values ('cam', 'coach'), ('ann', 'fan'), ('tom', 'player'), ('adm', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), private.today() - make_interval(years => age) from (values ('cam', 40), ('ann', 30), ('tom', 15), ('adm', 40)) as ages (name, age);
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
insert into public.teams (id, name, created_by) values (pg_temp.id('owl'), 'Owls', pg_temp.id('cam'));
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id('owl'), pg_temp.id('cam'), 'coach', 'active');
insert into storage.objects (bucket_id, name, metadata) values ('article-covers', pg_temp.cover(), '{}');
insert into public.articles (id, author_id, team_id, title, body, status, published_at, cover)
values (pg_temp.id('win'), pg_temp.id('cam'), pg_temp.id('owl'), 'win', 'A win.', 'published', now(), pg_temp.cover()),
  (pg_temp.id('dra'), pg_temp.id('cam'), pg_temp.id('owl'), 'draft', 'A plan.', 'draft', null, null);

select pg_temp.act('anon');
select throws_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', pg_temp.id('win')::text, 'abuse')$$, '42501', null, 'visitors report nothing');
select pg_temp.act('ann');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', pg_temp.id('win')::text, 'abuse')$$, 'a user reports an article');
select throws_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', pg_temp.id('dra')::text, 'abuse')$$, 'PT404', 'It is not there any more.', 'but not one that the user does not see');
select throws_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', 'win', 'abuse')$$, 'PT404', null, 'nor something else');
select pg_temp.act('tom');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', pg_temp.id('win')::text, 'minor_safety')$$, 'minors report articles, too');
select pg_temp.act('adm');
select lives_ok($$insert into public.reports (subject_kind, subject_id, reason) values ('article', pg_temp.id('win')::text, 'abuse')$$, 'a third user reports it');
select is(pg_temp.reads('anon'), 'win', 'reports alone do not hide an article');

-- The queue.
select pg_temp.act('adm');
select lives_ok($$insert into public.reports (subject_kind, reason) values ('other', 'spam'), ('other', 'spam')$$, 'something that is not a thing is reported twice');
select results_eq($$select subject_kind, reports, cardinality(report_ids), reasons, jsonb_array_length(latest), subject_name from public.admin_reports order by reports desc$$,
  $$values ('article', 3::bigint, 3, array['abuse', 'abuse', 'minor_safety'], 3, 'cam'), ('other', 1, 1, array['spam'], 1, null), ('other', 1, 1, array['spam'], 1, null)$$,
  'three reports of one article are one row; reports of nothing in particular are not merged');
select lives_ok($$select public.admin_handle_reports(report_ids, 'dismissed', 'Not spam.') from public.admin_reports where subject_kind = 'other'$$, 'an admin answers all reports of a row');
select results_eq($$select status, count(*) from public.reports group by status order by status$$, $$values ('dismissed', 2::bigint), ('open', 3)$$, 'no other report is answered');
select throws_ok($$select public.admin_handle_reports('{}', 'dismissed', 'Not spam.')$$, 'PT400', 'Name between 1 and 1,000 reports.', 'an answer to no report is refused');

select pg_temp.act('ann');
select throws_ok($$select public.admin_moderate('article', pg_temp.id('win'), true, 'Insults.')$$, '42501', null, 'users moderate nothing');
select throws_ok($$update public.articles set removal_reason = 'x'$$, '42501', null, 'nor write the reason');
select pg_temp.act('cam');
select throws_ok($$update public.articles set removal_reason = null$$, '42501', null, 'nor does the newsroom');
select pg_temp.act('adm');
select throws_ok($$select public.admin_moderate('article', gen_random_uuid(), true, 'Insults.')$$, 'PT404', null, 'an article that is gone cannot be moderated');
select lives_ok($$select public.admin_moderate('article', pg_temp.id('win'), true, 'It insults a player.')$$, 'an admin removes it');
select is(pg_temp.reads('anon') || pg_temp.reads('ann') || pg_temp.reads('tom'), '', 'nobody reads it any more');
select pg_temp.act('anon');
select unalike(convert_from(public.news_rss(), 'UTF8'), '%win%', 'RSS leaves it out');
select is(public.page_meta('/news-reel/' || pg_temp.id('win')), null, 'it has no preview');
reset role;
select ok((select metadata ? 'signedUrlsFrom' from storage.objects where name = pg_temp.cover()), 'the URLs of its cover have ended');
select results_eq($$select status, resolution from public.reports where subject_kind = 'article'$$, $$values ('resolved', 'It insults a player.'), ('resolved', 'It insults a player.'), ('resolved', 'It insults a player.')$$, 'the reports are answered');
select results_eq($$select subject_id, reason from public.audit_log where action = 'article_removed'$$, $$values (pg_temp.id('cam')::text, 'It insults a player.')$$, 'the log has it');
select pg_temp.act('cam');
select results_eq($$select removal_reason from public.articles where title = 'win'$$, $$values ('It insults a player.')$$, 'the newsroom reads why');
select lives_ok($$select public.correct_article(pg_temp.id('win'), 'It was rude.', 'win', '', 'A polite win.')$$, 'and corrects it');
select is(pg_temp.reads('anon'), '', 'which does not show it again');
select pg_temp.act('cam');
update public.articles set status = 'draft' where title = 'win';
update public.articles set status = 'published' where title = 'win';
select is(pg_temp.reads('anon'), '', 'nor does publishing it again');
select is(pg_temp.reads('adm'), 'win', 'an admin still reads it');
select pg_temp.act('adm');
select lives_ok($$select public.admin_moderate('article', pg_temp.id('win'), false, 'It is polite now.')$$, 'the admin shows it');
select is(pg_temp.reads('anon'), 'win', 'and everybody reads it');
reset role;
select is((select count(*) from public.audit_log where action = 'article_shown'), 1::bigint, 'the log has that, too');
select * from finish();
rollback;

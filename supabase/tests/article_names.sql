-- Names in articles: of other teams, of guests, and of anybody in the site's newsroom. feed_attacks.sql has those of the own team.
begin;
select plan(32);
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
create function pg_temp.article(called text) returns uuid
language sql stable security definer
as $$ select id from public.articles where title = called $$;
-- An article by the caller that is published with a text, or the error. The test of each text undoes its own article.
create function pg_temp.publish(title text, body text, team uuid default null, game uuid default null) returns void
language plpgsql
as $$
begin
  insert into public.articles (title, body, team_id, game_id) values (publish.title, publish.body, publish.team, publish.game);
  update public.articles as a set status = 'published' where a.title = publish.title;
end
$$;

-- cam is the verified coach of the Owls, cic of the Jays. kit, 11, plays for the Owls; jon, 11, amy, an adult with a private
-- profile, and pat, 15 and public, for the Jays. lou, 15, una, whose age is unknown, and win play for nobody. adm is an admin.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', called, 'role', role)
from (values ('cam', 'Cam Coach', 'coach'), ('cic', 'Cic Coach', 'coach'), ('kit', 'Kit Long', 'player'), ('jon', 'Jon Jaybird', 'player'),
  ('amy', 'Amy Adult', 'player'), ('pat', 'Pat Public', 'player'), ('lou', 'Lou Loner', 'player'), ('una', 'Una Unknown', 'fan'), ('win', 'Win', 'player'),
  ('sam', 'Sam Star', 'player'), ('fan', 'Fay Fan', 'fan'), ('adm', 'Adm Admin', 'fan')) as people (name, called, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), private.today() - make_interval(years => age)
from (values ('cam', 40), ('cic', 40), ('kit', 11), ('jon', 11), ('amy', 30), ('pat', 15), ('lou', 15), ('win', 15), ('sam', 15), ('fan', 30), ('adm', 40)) as ages (name, age);
update public.users set public_profile = id = pg_temp.id('pat');
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam')), (pg_temp.id('cic'));
insert into public.teams (id, name, created_by) values (pg_temp.id('owl'), 'Owls', pg_temp.id('cam')), (pg_temp.id('jay'), 'Jays', pg_temp.id('cic'));
insert into public.team_members (team_id, user_id, role, status)
values (pg_temp.id('owl'), pg_temp.id('cam'), 'coach', 'active'), (pg_temp.id('jay'), pg_temp.id('cic'), 'coach', 'active'),
  (pg_temp.id('owl'), pg_temp.id('kit'), 'player', 'active'), (pg_temp.id('jay'), pg_temp.id('jon'), 'player', 'active'),
  (pg_temp.id('jay'), pg_temp.id('amy'), 'player', 'active'), (pg_temp.id('jay'), pg_temp.id('pat'), 'player', 'active');
-- The Owls at home against the Jays, with a guest whom cam has entered; a game of the Jays; and one of an archive, in which a Sam
-- Star plays who is public.
insert into public.games (id, owner_team_id, home_team_id, visitor_team_id, visitor_name, home_name, played_on, is_public, status)
values (pg_temp.id('gam'), pg_temp.id('owl'), pg_temp.id('owl'), pg_temp.id('jay'), 'Jays', 'Owls', private.today(), true, 'final'),
  (pg_temp.id('gjj'), pg_temp.id('jay'), pg_temp.id('jay'), null, 'Terns', 'Jays', private.today(), true, 'final'),
  (pg_temp.id('arc'), null, null, null, 'Reds', 'Blues', private.today(), true, 'final');
insert into public.athletes (id, initial, owner_team_id, is_public)
values (pg_temp.id('gil'), 'G', pg_temp.id('owl'), false), (pg_temp.id('num'), '', pg_temp.id('owl'), false), (pg_temp.id('sta'), 'S', null, true);
insert into public.athlete_identities (athlete_id, full_name)
values (pg_temp.id('gil'), 'Gil Guest'), (pg_temp.id('num'), 'No. 12'), (pg_temp.id('sta'), 'Sam Star');
insert into public.lineups (game_id, athlete_id, side)
values (pg_temp.id('gam'), pg_temp.id('gil'), 0), (pg_temp.id('gam'), pg_temp.id('num'), 0), (pg_temp.id('arc'), pg_temp.id('sta'), 0);

-- The site's newsroom.
select pg_temp.act('adm');
select throws_ok($$select pg_temp.publish('site', 'And **Kit**  Long doubled.')$$, 'PT400', 'Kit Long is a minor who has not agreed to be public.', 'an article of the site cannot name a child of a team');
select throws_ok($$select pg_temp.publish('site', 'LOU LONER’S double.')$$, 'PT400', 'Lou Loner is a minor who has not agreed to be public.', 'nor a minor without a team');
select throws_ok($$select pg_temp.publish('site', 'It was Una Unknown.')$$, 'PT400', null, 'nor somebody whose age is unknown');
select throws_ok($$select pg_temp.publish('site', 'Sam Star homered.')$$, 'PT400', null, 'nor a minor with the name of somebody who is not in this game');
select throws_ok($$select pg_temp.publish('site', 'Gil Guest walked.', null, pg_temp.id('gam'))$$, 'PT400', 'Gil Guest is a guest, who has not agreed to be public.', 'nor a guest of its game');
select lives_ok($$select pg_temp.publish('site-pat', 'Pat Public doubled.')$$, 'it may name a public minor');
select lives_ok($$select pg_temp.publish('site-amy', 'Amy Adult doubled, a win for all.')$$, 'and adults; a name of one word is only a word');
select lives_ok($$select pg_temp.publish('site-arc', 'Sam Star hit a grand slam.', null, pg_temp.id('arc'))$$, 'a player of an archive may have the name of a minor');
select throws_ok($$select public.correct_article(pg_temp.article('site-pat'), 'It was Lou Loner.', 'site-pat', '', 'x')$$, 'PT400', null, 'a correction cannot name a minor without a team');

-- The newsroom of a team.
select pg_temp.act('cam');
select throws_ok($$select pg_temp.publish('owls', 'Kit Long doubled.', pg_temp.id('owl'), pg_temp.id('gam'))$$, 'PT400', 'Kit Long is a minor who has not agreed to be public.', 'coaches learn which of their own players it is');
select throws_ok($$select pg_temp.publish('owls', 'Jon Jaybird doubled.', pg_temp.id('owl'), pg_temp.id('gam'))$$, 'PT400', 'This article names somebody whose profile is not public.', 'a child of the other team is refused without the name');
select throws_ok($$select pg_temp.publish('owls', 'Amy Adult doubled.', pg_temp.id('owl'), pg_temp.id('gam'))$$, 'PT400', 'This article names somebody whose profile is not public.', 'with the same words as an adult there');
select throws_ok($$select pg_temp.publish('owls', 'Gil Guest doubled.', pg_temp.id('owl'), pg_temp.id('gam'))$$, 'PT400', 'Gil Guest is a guest, who has not agreed to be public.', 'a guest is refused');
select lives_ok($$select pg_temp.publish('owls', 'Pat Public and No. 12 doubled.', pg_temp.id('owl'), pg_temp.id('gam'))$$, 'a public minor of the other team and a number are not');
select throws_ok($$select public.correct_article(pg_temp.article('owls'), 'It was Jon Jaybird.', 'owls', '', 'x')$$, 'PT400', 'This article names somebody whose profile is not public.', 'a correction cannot name a child of the other team');
select throws_ok($$insert into public.articles (title, team_id, game_id) values ('x', pg_temp.id('owl'), pg_temp.id('gjj'))$$, '42501', 'This is not a game of your team.', 'a coach writes about the own team''s games');
select throws_ok($$insert into public.articles (title, team_id, game_id) values ('x', pg_temp.id('owl'), gen_random_uuid())$$, '42501', 'This is not a game of your team.', 'an unknown game is refused with the same words');
select throws_ok($$insert into public.articles (title, team_id, game_id) values ('x', pg_temp.id('jay'), pg_temp.id('gam'))$$, '42501', 'new row violates row-level security policy for table "articles"', 'other teams'' games are not told to coaches who do not write for them');
select pg_temp.act('cic');
select lives_ok($$select pg_temp.publish('jays', 'Pat Public homered.', pg_temp.id('jay'), pg_temp.id('gam'))$$, 'the visitors write about the game, too');
select throws_ok($$select pg_temp.publish('jays-kit', 'Kit Long slipped.', pg_temp.id('jay'), pg_temp.id('gam'))$$, 'PT400', 'This article names somebody whose profile is not public.', 'without the children of the home team');

-- Consent that ends.
create function pg_temp.shown() returns text
language plpgsql
as $$
declare
  titles text;
begin
  perform pg_temp.act('anon');
  select string_agg(a.title, ' ' order by a.title) into titles from public.articles as a;
  perform set_config('role', 'none', true);
  perform set_config('request.jwt.claims', '', true);
  return titles;
end
$$;
select is(pg_temp.shown(), 'jays owls site-amy site-arc site-pat', 'visitors read all of them');
update public.users set public_profile = false where id = pg_temp.id('pat');
select is(pg_temp.shown(), 'site-amy site-arc', 'a minor who is private again is in no article of any newsroom');
select pg_temp.act('anon');
select unalike(convert_from(public.news_rss(), 'UTF8'), '%site-pat%', 'RSS leaves it out');
select is(public.page_meta('/news-reel/' || pg_temp.article('site-pat')), null, 'it has no preview');
select pg_temp.act('adm');
select results_eq($$select names_minor from public.articles where title = 'site-pat'$$, $$values (true)$$, 'the newsroom sees why');
reset role;
select set_config('request.jwt.claims', '', true) as nobody;
update public.users set public_profile = true where id = pg_temp.id('pat');
select is(pg_temp.shown(), 'jays owls site-amy site-arc site-pat', 'all are back when the profile is public');
update public.users set full_name = 'Grand Slam' where id = pg_temp.id('lou');
select is(pg_temp.shown(), 'jays owls site-amy site-arc site-pat', 'taking words of an article as a name does not hide it');
select is((select count(*) from private.plain_names where user_id in (pg_temp.id('lou'), pg_temp.id('win'))), 1::bigint, 'names of two words are kept, without the former one');
update public.users set full_name = '' where id = pg_temp.id('lou');
select is((select count(*) from private.plain_names where user_id = pg_temp.id('lou')), 0::bigint, 'a name that is removed is not');
-- Names of guests who leave the lineup do not count.
delete from public.lineups where athlete_id = pg_temp.id('gil');
select pg_temp.act('adm');
select lives_ok($$select pg_temp.publish('site-gil', 'Gil Guest walked.', null, pg_temp.id('gam'))$$, 'a name that nobody has is only words');
select is((select count(*) from public.articles where title = 'site-gil' and not names_minor), 1::bigint, 'and is not noted');
-- A profile that changes looks only at the articles about its person.
reset role;
select set_eq($$select a.title from public.articles as a where a.team_id is not null and a.id in (select private.articles_about(pg_temp.id('kit')))$$,
  $$values ('owls'), ('jays')$$, 'articles about a person are those of the teams and their games');
select * from finish();
rollback;

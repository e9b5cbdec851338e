-- Search: what is found, and that private people, hidden profiles, players under 13 and suspended accounts change nothing in
-- results, counts, facets or hints.
begin;
select plan(66);
delete from auth.users;
delete from public.teams;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
create function pg_temp.act(number integer) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(number), 'role', 'authenticated')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
create function pg_temp.names(query text, filters jsonb default '{}') returns text
language sql
as $$ select string_agg(p ->> 'name', ', ' order by n) from jsonb_array_elements(public.search_players(query, filters) -> 'players') with ordinality as a (p, n) $$;
create function pg_temp.suggested(query text) returns text
language sql
as $$ select string_agg(kind || ' ' || name, ', ') from public.search_suggest(query) $$;

-- 1 to 4 are public, 5 is private, 6 is suspended, 7 is 12 years old with a guardian, 8 is 15 and has shown the profile, 9 is 15
-- and hidden by the guardian, 10 is 15 and has not shown it, 11 has no birth date. 20 is the guardian, 21 and 22 coach.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', true)
from (values (1, 'Rafael Dunn', 'player'), (2, 'Rafe Holcomb', 'player'), (3, 'José Núñez', 'player'), (4, 'Kai O''Neil', 'player'),
  (5, 'Rafael Private', 'player'), (6, 'Rafael Suspended', 'player'), (7, 'Rafael Child', 'player'), (8, 'Rafael Teen', 'player'),
  (9, 'Rafael Hidden', 'player'), (10, 'Rafael Quiet', 'player'), (11, 'Rafael Undated', 'player'), (20, 'Rafael Guardian', 'fan'),
  (21, 'Rafaela Coach', 'coach'), (22, 'Rae Unvetted', 'coach'), (23, 'Fay Fan', 'fan')) as people (n, name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(n), (private.today() - make_interval(years => years))::date
from (values (1, 17), (2, 19), (3, 20), (4, 21), (5, 20), (6, 20), (7, 12), (8, 15), (9, 15), (10, 15), (20, 40), (21, 40), (22, 40), (23, 40)) as ages (n, years);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile, audience) values
  (pg_temp.id(7), pg_temp.id(20), '20@example.com', 'accepted', false, 'verified'),
  (pg_temp.id(9), pg_temp.id(20), '20@example.com', 'accepted', true, 'team');
update public.users set public_profile = true where id in (pg_temp.id(1), pg_temp.id(8), pg_temp.id(9)) and not public_profile;
update public.users set public_profile = false where id = pg_temp.id(5);
insert into public.suspensions (user_id, reason) values (pg_temp.id(6), 'A reason');
update public.players set positions = array['SS', '2B'], grad_year = 2028, state = 'OR', bats = 'L', throws = 'R', height_in = 72;
update public.players set grad_year = 2027, state = 'WA', positions = array['P'], bats = 'R', height_in = 75 where user_id in (pg_temp.id(2), pg_temp.id(3));
insert into private.coach_verifications (coach_id) values (pg_temp.id(21));
insert into storage.objects (bucket_id, name) values ('profile-photos', pg_temp.id(2) || '/' || pg_temp.id(91) || '/large.jpg');
update public.profiles set photo = pg_temp.id(2) || '/' || pg_temp.id(91) where id = pg_temp.id(2);
insert into public.teams (id, name, city, state) values (pg_temp.id(50), 'Rafters', 'Bend', 'OR'), (pg_temp.id(51), 'Rafting Unvetted', 'Bend', 'OR'), (pg_temp.id(52), 'Rafters Closed', 'Bend', 'OR');
update public.teams set vetted = false where id = pg_temp.id(51);
update public.teams set active = false where id = pg_temp.id(52);
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.id(50), pg_temp.id(1), 'player', 'active'), (pg_temp.id(50), pg_temp.id(5), 'player', 'active'), (pg_temp.id(50), pg_temp.id(7), 'player', 'active'),
  (pg_temp.id(51), pg_temp.id(2), 'player', 'active'), (pg_temp.id(50), pg_temp.id(4), 'player', 'asked'), (pg_temp.id(50), pg_temp.id(21), 'coach', 'active');
insert into public.measurements (player_id, kind, value, source, verified_at)
select pg_temp.id(n), kind, value, 'event', case when verified then now() end
from (values (1, 'infield_velocity', 85, true), (2, 'fastball_max', 90, false), (2, 'spin_rate', 2200, true), (3, 'fastball_max', 88, true),
  (5, 'fastball_max', 95, true), (7, 'fastball_max', 60, true), (9, 'fastball_max', 89, true)) as m (n, kind, value, verified);

-- Names.
select pg_temp.act(23);
select is(pg_temp.names('rafael'), 'Rafael Dunn, Rafael Teen, Rafe Holcomb', 'only public players are found, in the order of their names, then a similar name');
select is(pg_temp.names('raf'), 'Rafael Dunn, Rafael Teen, Rafe Holcomb', 'the beginning of a name is enough');
select is(pg_temp.names('dun'), 'Rafael Dunn', 'the beginning of a family name is enough');
select is(pg_temp.names('refael dunn'), 'Rafael Dunn', 'a wrong letter is forgiven');
select is(pg_temp.names('rafeal dun'), 'Rafael Dunn', 'exchanged letters are forgiven');
select is(pg_temp.names('holcom raf'), 'Rafe Holcomb', 'the family name may come first');
select is(pg_temp.names('jose nunez'), 'José Núñez', 'accents need not be typed');
select is(pg_temp.names('JOSÉ NÚÑEZ'), 'José Núñez', 'and may be');
select is(pg_temp.names('oneil'), 'Kai O''Neil', 'nor need apostrophes');
select is(pg_temp.names('100%'), null, 'characters of patterns are not patterns');
select is(pg_temp.names('%'), 'José Núñez, Kai O''Neil, Rafael Dunn, Rafael Teen, Rafe Holcomb', 'of which nothing is left, everybody matches');
select is(pg_temp.names('r'), pg_temp.names(''), 'one letter is too short to search for');
select throws_ok($$select public.search_players(repeat('a', 101))$$, 'PT400', 'A search has up to 100 characters.', 'a search has a greatest length');
select lives_ok($$select public.search_players(repeat('a', 100))$$, 'which is allowed');

-- Filters, counts and pages.
select is(pg_temp.names('', '{"class": ["2027"]}'), 'José Núñez, Rafe Holcomb', 'by class');
select is(pg_temp.names('', '{"position": ["2B", "C"]}'), 'Kai O''Neil, Rafael Dunn, Rafael Teen', 'by any of the positions');
select is(pg_temp.names('', '{"state": ["WA"], "bats": ["R"], "throws": ["R"]}'), 'José Núñez, Rafe Holcomb', 'by state, side at bat and arm');
select is(pg_temp.names('', '{"height": 75}'), 'José Núñez, Rafe Holcomb', 'by the least height');
select is(pg_temp.names('', '{"velocity": 88}'), 'José Núñez, Rafe Holcomb', 'by the least velocity');
select is(pg_temp.names('', '{"velocity": 88, "verified": true}'), 'José Núñez', 'which must be verified where only verified numbers count');
select is(pg_temp.names('', '{"verified": true}'), 'José Núñez, Rafael Dunn, Rafe Holcomb', 'by any verified number');
select is(pg_temp.names('', jsonb_build_object('team', pg_temp.id(50))), 'Rafael Dunn', 'by team: neither private members, nor children, nor who only asked');
select is(pg_temp.names('', jsonb_build_object('team', pg_temp.id(51))), null, 'a team with an unvetted name is not searched');
select is(pg_temp.names('', '{"class": [], "state": ["OR"]}'), 'Kai O''Neil, Rafael Dunn, Rafael Teen', 'an empty filter is none');
select throws_ok($$select public.search_players('', '{"salary": 3}')$$, 'PT400', null, 'there are no other filters');
select throws_ok($$select public.search_players('', '{"class": "2027"}')$$, 'PT400', null, 'a list is a list');
select throws_ok($$select public.search_players('', '{"height": ["75"]}')$$, 'PT400', null, 'a number is a number');
select throws_ok($$select public.search_players('', '{"height": "75 or true"}')$$, '22P02', null, 'and nothing else');
select is(pg_temp.names('', '{"state": ["WA'' or true or ''"]}'), null, 'text is text');
select is(public.search_players('', '{"class": ["2027"]}') -> 'facets', '{"class": {"2027": 2, "2028": 3}, "position": {"P": 2}, "state": {"WA": 2},
  "bats": {"R": 2}, "throws": {"R": 2}, "verified": {"true": 2}}', 'facets count public players, each without its own filter');
select is(public.search_players('', '{"class": ["2027"], "state": ["OR"]}') -> 'without', '{"class": 3, "state": 2}', 'where nothing is found, the filters that remove it are named');
select is((public.search_players('rafael') ->> 'total')::integer, 3, 'the total counts public players');
reset role;
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Zeb ' || n, 'role', 'player', 'public_profile', true) from generate_series(100, 124) as n;
insert into public.birth_dates (user_id, birth_date) select pg_temp.id(n), '2000-01-01' from generate_series(100, 124) as n;
select pg_temp.act(23);
select results_eq($$with first as (select public.search_players('zeb') as page), second as (select public.search_players('zeb', '{}', page -> 'next') as page from first)
  select jsonb_array_length(first.page -> 'players'), jsonb_array_length(second.page -> 'players'), second.page -> 'players' -> 0 ->> 'name', second.page -> 'next'
  from first, second$$, $$values (20, 5, 'Zeb 120', 'null'::jsonb)$$, 'the next page begins after the last player of the one before');
select is(public.search_players('rafael dunn') -> 'players' -> 0 -> 'numbers' -> 0 ->> 'metric', 'infield_velocity', 'a result has the numbers of its position');
select is(public.search_players('rafael dunn') -> 'players' -> 0 ->> 'team', 'Rafters', 'and the team');
select is(public.search_players('rafe holcomb') -> 'players' -> 0 ->> 'photo', pg_temp.id(2) || '/' || pg_temp.id(91), 'the photo');
select is(public.search_players('rafael dunn') -> 'players' -> 0 -> 'photo', 'null', 'or none');
select is(public.search_players('rafe holcomb') -> 'players' -> 0 ->> 'team', null, 'but no unvetted name');

-- The search box.
select is(pg_temp.suggested('raf'), 'player Rafael Dunn, player Rafael Teen, player Rafe Holcomb, team Rafters, coach Rafaela Coach', 'players, vetted teams and coaches are suggested');
select is(pg_temp.suggested('r'), null, 'one letter suggests nothing');
select is((select detail from public.search_suggest('rafael dunn') where kind = 'player'), 'SS · 2028 · Rafters', 'with what tells them apart');

-- Programs, games and articles.
reset role;
insert into public.programs (id, name, institution, state, division, conference) values ('zq', 'Zyqual State', 'University of Zyqual', 'OR', 1, 'Far West'), ('zr', 'Zyqor', null, null, 3, '');
insert into public.games (id, owner_team_id, home_team_id, visitor_name, home_name, played_on, is_public, status, visitor_runs, home_runs)
select pg_temp.id(n), pg_temp.id(owner), pg_temp.id(owner), visitor, 'Rafters', private.today() - days, shown, status, 3, 5
from (values (60, 50, 'Zyqor Gulls', 3, true, 'final'), (61, 50, 'Zyqor Gulls', 1, true, 'live'), (62, 50, 'Zyqor Gulls', 1, false, 'final'), (63, 51, 'Zyqor Gulls', 1, true, 'final'),
  (64, 52, 'Zyqor Gulls', 1, true, 'final'), (65, 50, 'Zyqor Gulls', 0, true, 'cancelled'), (66, 50, 'Terns', 0, true, 'final')) as g (n, owner, visitor, days, shown, status);
insert into public.games (id, visitor_name, home_name, played_on, is_public, status) values (pg_temp.id(67), 'Zyqor Archive', 'Others', '2016-04-04', true, 'final');
insert into public.articles (id, author_id, team_id, kind, title, body, status, published_at)
select pg_temp.id(n), pg_temp.id(21), pg_temp.id(team), kind, title, 'Text.', status, now() + make_interval(days => days)
from (values (70, 50, 'recap', 'The Zyqor story', 'published', -2), (71, 50, 'news', 'Zyqor again', 'published', -1), (72, 50, 'news', 'Zyqor draft', 'draft', -1),
  (73, 50, 'news', 'Zyqor tomorrow', 'published', 1), (75, 51, 'news', 'Zyqor unvetted', 'published', -1),
  (76, 50, 'news', 'Zyqor by somebody unverified', 'published', -1)) as a (n, team, kind, title, status, days);
update public.articles set vetted = id <> pg_temp.id(76);
select pg_temp.act(23);
create function pg_temp.found(query text, kind text) returns text
language sql
as $$ select string_agg(s.name || ': ' || s.detail, ', ') from public.search_suggest(query, 20, array[found.kind]) as s $$;
select is(pg_temp.found('zyqual', 'program'), 'Zyqual State: Division I · Far West · OR', 'programs are found by name');
select is(pg_temp.found('university of zyqual', 'program'), 'Zyqual State: Division I · Far West · OR', 'and by institution');
select matches(pg_temp.found('zyqual statte', 'program'), '^Zyqual State: ', 'and with a doubled letter');
select is(pg_temp.found('zyq', 'program'), 'Zyqor: Division III, Zyqual State: Division I · Far West · OR', 'and by the beginning of a word');
select is((select string_agg(s.id, ',') from public.search_suggest('zyqor', 20, '{game}') as s), concat_ws(',', pg_temp.id(61), pg_temp.id(60), pg_temp.id(67)),
  'public games are found by a team''s name, the latest first; not those of teams that not everybody sees, nor cancelled ones');
select matches(pg_temp.found('zyqor gulls', 'game'), '^Zyqor Gulls at Rafters: \w{3} \d+, \d{4} · Live, Zyqor Gulls at Rafters: \w{3} \d+, \d{4} · Final 3–5', 'with the day and the result');
select is((select string_agg(s.name, ', ') from public.search_suggest('zyqor', 20, '{article}') as s), 'Zyqor again, The Zyqor story',
  'articles are found by title, the latest first; neither drafts and scheduled ones, nor those that nobody vouches for');
select matches(pg_temp.found('story', 'article'), '^The Zyqor story: Recap · .* · Rafters$', 'with their kind, day and team');
select is((select string_agg(distinct s.kind, ',') from public.search_suggest('zyqor') as s), 'article,game,program', 'without kinds all are asked for');
select is((select count(*) from public.search_suggest('zyqor', 1)), 3::bigint, 'up to a number of each kind');
select is((select count(*) from public.search_suggest('zyqor', 1, '{}')), 0::bigint, 'no kinds, no results');
reset role;
insert into public.blocks (blocker_id, blocked_id) values (pg_temp.id(23), pg_temp.id(21));
select pg_temp.act(23);
select is(pg_temp.found('zyqor', 'article'), null, 'the articles of blocked people are not found');
reset role;
update public.games set visitor_name = 'Renamed Terns' where id = pg_temp.id(60);
update public.games set is_public = false where id = pg_temp.id(61);
update public.games set is_public = true where id = pg_temp.id(62);
select results_eq($$select g.game_id, g.name::text collate "default" from private.game_names as g order by 1$$,
  $$select g.id, (' ' || private.folded(g.visitor_name || ' ' || g.home_name)) collate "default" from public.games as g where g.is_public and g.status <> 'cancelled' order by 1$$, 'the kept names follow the games');
select pg_temp.act(23);
select is((select string_agg(s.id, ',') from public.search_suggest('zyqor', 20, '{game}') as s), concat_ws(',', pg_temp.id(62), pg_temp.id(67)), 'renamed and hidden games are not found, a shown one is');
select is(pg_temp.found('tern', 'game') ~ 'Renamed Terns', true, 'the new name is');
select is((select count(*) from public.search_suggest('ternss', 20, '{game}')), 2::bigint, 'so are similar names, where no word begins like the text');
select throws_ok($$select * from private.game_names$$, '42501', null, 'nobody reads the names');
reset role;
delete from public.blocks;
insert into public.suspensions (user_id, reason) values (pg_temp.id(21), 'A reason');
select pg_temp.act(23);
select is(pg_temp.found('zyqor', 'article'), null, 'nor those of suspended people');
reset role;
delete from public.suspensions where user_id = pg_temp.id(21);
delete from public.articles;
delete from public.games;
select pg_temp.act(23);

-- Changes are found at once.
reset role;
update public.users set full_name = 'Ralph Dunn' where id = pg_temp.id(1);
update public.users set public_profile = true where id = pg_temp.id(5);
select pg_temp.act(23);
select is(pg_temp.names('rafael'), 'Rafael Private, Rafael Teen, Rafe Holcomb', 'a new name and a shown profile are found');
reset role;
insert into public.suspensions (user_id, reason) values (pg_temp.id(8), 'A reason');
delete from auth.users where id = pg_temp.id(5);
select results_eq($$select id from private.search_people where name like 'rafael%' and role = 'player'$$, $$values (pg_temp.id(9))$$, 'of the index nothing is left but what a guardian hides until 18');

-- Callers.
select pg_temp.act(6);
select throws_ok($$select public.search_players('dunn')$$, '42501', 'Your account is suspended.', 'suspended users cannot search');
select throws_ok($$select * from public.search_suggest('dunn')$$, '42501', 'Your account is suspended.', 'nor are they suggested anything');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(23), 'role', 'authenticated', 'client_id', 'x')::text, true);
select throws_ok($$select public.search_players('dunn')$$, '42501', 'This app may only know who you are.', 'other apps cannot');
set local role anon;
select throws_ok($$select public.search_players('dunn')$$, '42501', null, 'visitors cannot');
set local role authenticated;
select throws_ok($$select * from private.search_people$$, '42501', null, 'nobody reads the index');

select * from finish();
rollback;

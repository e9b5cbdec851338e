-- The visibility matrix: callers without a connection to hidden minors ask every list, feed, count, facet, ranking, histogram,
-- RSS and preview. Each answer must be the same before and after these minors exist, and no row that a caller reads may have the
-- id or name of one. The last test fails until a new function that lists something is added to `sources`.
begin;
select plan(29);
delete from auth.users;
delete from public.teams;
delete from public.leagues;
delete from public.seasons;
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
-- A player with numbers.
create function pg_temp.measure(text) returns void
language sql
as $$
  update public.players set positions = '{SS}', grad_year = 2029, state = 'OR', bats = 'R', throws = 'R', height_in = 70 where user_id = pg_temp.id($1);
  insert into public.measurements (player_id, kind, value, source, verified_at, taken_at)
  select pg_temp.id($1), k, v + ascii(substr($1, 2)) / 100.0, 'event', now(), private.today() - 1
  from (values ('sixty_yard_dash', 6.0), ('exit_velocity_max', 90), ('infield_velocity', 80), ('bat_speed', 70)) as n (k, v);
  insert into public.batting_lines (player_id, season, team_name, g, pa, ab, r, h) values (pg_temp.id($1), 2026, $1, 20, 80, 70, 9, 20);
  insert into public.player_ratings (run_id, player_id, pitcher, scores, doubts, counts, parts, value, sd, ranks)
  select r.id, pg_temp.id($1), false, '{1,1,1,1,1}', '{.1,.1,.1,.1,.1}', '{1,1,1,1,1}', '[null, null, null, null, null]', 60, 1, true
  from public.rating_runs as r where r.kind = 'players';
  select private.place_players(array[pg_temp.id($1)]);
$$;
-- A player of the Owls with all that a list could show.
create function pg_temp.settle(text) returns void
language sql
as $$
  select pg_temp.measure($1);
  insert into public.player_academics (user_id, school, gpa) values (pg_temp.id($1), $1 || ' High', 3.5);
  insert into public.videos (player_id, title, url) values (pg_temp.id($1), $1 || ' bats', 'https://example.com/' || $1);
  insert into public.commitments (player_id, program) values (pg_temp.id($1), $1 || ' State');
  insert into public.college_plans (player_id) values (pg_temp.id($1));
  insert into public.college_tasks (player_id, grade, title) values (pg_temp.id($1), 9, $1 || ' learns');
  insert into public.team_members (team_id, user_id, role, status, jersey) values (pg_temp.id('owl'), pg_temp.id($1), 'player', 'active', '9');
  insert into public.lineups (game_id, athlete_id, side) select pg_temp.id('gam'), i.athlete_id, 1 from public.athlete_identities as i where i.user_id = pg_temp.id($1);
  insert into public.player_game_batting (game_id, athlete_id, side, pa, ab, h, hr, rbi)
  select pg_temp.id('gam'), i.athlete_id, 1, 5, 5, 4, 2, 5 from public.athlete_identities as i where i.user_id = pg_temp.id($1);
  update public.games set revision = revision + 1 where id = pg_temp.id('gam');
  select private.sum_season(pg_temp.id('sea'), pg_temp.id('owl'));
  insert into storage.objects (bucket_id, name)
  select f.bucket, pg_temp.id($1) || '/' || pg_temp.id($1) || f.ending from (values ('post-media', '.jpg'), ('profile-photos', '/large.jpg')) as f (bucket, ending)
  where not private.is_minor(pg_temp.id($1)) or private.has_guardian(pg_temp.id($1));
  insert into public.posts (author_id, visibility, team_id, body, media)
  values (pg_temp.id($1), 'public', null, $1 || ' in public', pg_temp.id($1) || '/' || pg_temp.id($1) || '.jpg'),
    (pg_temp.id($1), 'followers', null, $1 || ' to followers', null), (pg_temp.id($1), 'team', pg_temp.id('owl'), $1 || ' to the team', null);
  insert into public.post_comments (post_id, author_id, body) select p.id, pg_temp.id($1), $1 || ' says' from public.posts as p where p.body = 'amy in public';
  insert into public.post_likes (post_id, user_id) select p.id, pg_temp.id($1) from public.posts as p where p.body = 'amy in public';
  insert into public.follows (follower_id, followed_id) select pg_temp.id($1), u.id from public.users as u where u.id <> pg_temp.id($1) on conflict do nothing;
  insert into public.follows (follower_id, followed_id) select u.id, pg_temp.id($1) from public.users as u where u.id <> pg_temp.id($1) on conflict do nothing;
  insert into public.watchlist_players (watchlist_id, player_id) select w.id, pg_temp.id($1) from public.watchlists as w;
$$;

-- amy, an adult, and pat, 15, are public and play for cam's Owls; twenty others have numbers. The callers: visitors; fan; pam, who is
-- 15 and public; gil, guardian of liz, 12; raw, a coach whom nobody has verified; ver, a verified coach of another team; sco, a
-- verified scout; and adm, an admin, who reads profiles but finds nobody in lists.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', called, 'role', role, 'public_profile', true)
from (values ('amy', 'Amy Adult', 'player'), ('pat', 'Pat Public', 'player'), ('cam', 'Cam Coach', 'coach'), ('fan', 'Fay Fan', 'fan'), ('pam', 'Pam Public', 'player'),
  ('gil', 'Gil Guard', 'fan'), ('liz', 'Liz Little', 'player'), ('raw', 'Raw Coach', 'coach'), ('ver', 'Ver Coach', 'coach'), ('sco', 'Sco Scout', 'scout'),
  ('adm', 'Adm Admin', 'fan'), ('gus', 'Gus Guard', 'fan')) as people (name, called, role)
union all select pg_temp.id('x' || chr(n) || 'x'), 'x' || chr(n) || '@example.com', jsonb_build_object('full_name', 'Xavier ' || chr(n), 'role', 'player', 'public_profile', true)
from generate_series(ascii('a'), ascii('t')) as n;
insert into public.birth_dates (user_id, birth_date)
select u.id, private.today() - make_interval(years => case when u.id in (pg_temp.id('pam'), pg_temp.id('pat')) then 15 when u.id = pg_temp.id('liz') then 12 else 30 end)
from public.users as u;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('liz'), pg_temp.id('gil'), 'gil@example.com', 'accepted');
update public.users set public_profile = true where id in (pg_temp.id('pam'), pg_temp.id('pat'));
update public.users set is_admin = true where id = pg_temp.id('adm');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('adm'), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam')), (pg_temp.id('ver'));
update public.scouts set verified_at = now();
insert into public.leagues (id, name, level) values (pg_temp.id('lea'), 'League', '16U');
insert into public.teams (id, name, league_id, created_by) values (pg_temp.id('owl'), 'Owls', pg_temp.id('lea'), pg_temp.id('cam')),
  (pg_temp.id('jay'), 'Jays', pg_temp.id('lea'), pg_temp.id('ver')), (pg_temp.id('rat'), 'Rats', pg_temp.id('lea'), pg_temp.id('raw'));
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id('owl'), pg_temp.id('cam'), 'coach', 'active'),
  (pg_temp.id('jay'), pg_temp.id('ver'), 'coach', 'active'), (pg_temp.id('jay'), pg_temp.id('pam'), 'player', 'active'), (pg_temp.id('rat'), pg_temp.id('raw'), 'coach', 'active');
insert into public.seasons (id, league_id, year) values (pg_temp.id('sea'), pg_temp.id('lea'), extract(year from now()));
insert into public.games (id, season_id, owner_team_id, home_team_id, visitor_team_id, visitor_name, home_name, played_on, is_public, status, created_by)
values (pg_temp.id('gam'), pg_temp.id('sea'), pg_temp.id('owl'), pg_temp.id('owl'), null, 'Terns', 'Owls', private.today(), true, 'live', pg_temp.id('cam'));
insert into public.rating_runs (kind, season, method, params, data_hash, created_by)
values ('players', null, 'test', '{"weights": {"hitter": [20, 25, 15, 25, 5], "pitcher": [35, 25, 15, 10, 5]}}', repeat('a', 64), pg_temp.id('adm'));
insert into public.articles (author_id, team_id, game_id, title, body, status, published_at, comments_open)
values (pg_temp.id('cam'), pg_temp.id('owl'), pg_temp.id('gam'), 'Owls win', 'A win.', 'published', now(), true);
insert into public.watchlists (id, owner_id, name, visited_at) values (pg_temp.id('lis'), pg_temp.id('sco'), 'List', now() - interval '1 day');
select count(pg_temp.measure('x' || chr(n) || 'x')) > 0 as others from generate_series(ascii('a'), ascii('t')) as n;
select count(pg_temp.settle(name)) as settled from unnest(array['amy', 'pat']) as name;
update public.games set status = 'final' where id = pg_temp.id('gam');
select private.sum_season(pg_temp.id('sea'), pg_temp.id('owl'));

create function pg_temp.post_ids() returns setof uuid
language sql stable security definer
as $$ select p.id from public.posts as p $$;
-- The queries of the app's lists. Answers of search contain facets and counts; those of leaderboards and rankings contain ranks
-- and histograms.
create temporary table sources (name text primary key, question text not null);
grant select on sources to anon, authenticated;
insert into sources values
  ('timeline', $$select t.id, t.body, t.milestone, t.author_id, t.comments, t.likes, t.author_name from public.timeline() as t$$),
  ('timeline of those followed', $$select t.id, t.body, t.milestone, t.author_id, t.comments, t.likes from public.timeline('following') as t$$),
  ('timeline of the team', $$select t.id, t.body, t.milestone, t.author_id, t.comments, t.likes from public.timeline('team') as t$$),
  ('those followed', $$select f.id, f.full_name, f.week, f.last_game, f.next_game from public.followed_now() as f$$),
  ('changes on lists', $$select * from public.visit_lists()$$), ('compared', format($$select * from public.compare_players(array[%L, %L]::uuid[])$$, pg_temp.id('amy'), pg_temp.id('kid'))),
  ('each post by its address', $$select t.id, t.body, t.author_id, t.comments, t.likes from pg_temp.post_ids() as p (id), lateral public.timeline('post', only_id => p.id) as t order by t.id$$),
  ('search', $$select public.search_players()$$), ('search by name', $$select public.search_players('hidden')$$),
  ('search by team', format($$select public.search_players('', '{"team": "%s"}')$$, pg_temp.id('owl'))),
  ('search without results', $$select public.search_players('', '{"velocity": 200, "class": ["2029"], "position": ["SS"]}')$$),
  ('players of one''s boards', $$select k.full_name from public.kept_players() as k order by k.player_id$$), ('suggestions', $$select * from public.search_suggest('hidden')$$), ('suggested teams', $$select * from public.search_suggest('owls')$$),
  ('suggested games and articles', $$select * from public.search_suggest('owls', 51, '{game,article}')$$), ('suggested programs', $$select * from public.search_suggest('hidden state', 51, '{program}')$$),
  ('leaders', $$select public.leaderboard('sixty_yard_dash')$$), ('leaders by the word of players', $$select public.leaderboard('avg', 2026, evidence => 'all', minimum => 0)$$),
  ('leaders of an age group', $$select public.leaderboard('bat_speed', filters => '{"age": "16u", "state": "OR"}')$$),
  ('rankings', $$select public.rankings('players')$$), ('rankings by a class', $$select public.rankings('players', '{"class": "2029", "position": "IF"}')$$),
  ('rankings by own weights', $$select public.rankings('players', weights => '{"hitter": [1, 0, 0, 0, 0], "pitcher": [1, 0, 0, 0, 0]}')$$),
  ('rankings of teams', $$select public.rankings('teams')$$),
  ('percentiles', format($$select * from public.player_percentiles(%L)$$, pg_temp.id('amy'))),
  ('checked leaders of a season', $$select public.leaderboard('avg', minimum => 0)$$), ('scorebook', format($$select public.scorebook_of(%L)$$, pg_temp.id('amy'))),
  ('scorebook of a hidden player', format($$select public.scorebook_of(%L), (select count(*) from public.batted_balls_of(%L))$$, pg_temp.id('kid'), pg_temp.id('kid'))),
  ('batted balls', format($$select * from public.batted_balls_of(%L)$$, pg_temp.id('amy'))), ('RSS', $$select convert_from(public.news_rss(), 'UTF8')$$),
  ('arms of a game', format($$select * from public.game_arms(%L)$$, pg_temp.id('gam'))), ('home', $$select * from public.home_games()$$), ('home at once', $$select public.home()$$), ('numbers of the list', $$select * from public.number_changes(current_date - 7, true)$$),
  ('posts', $$select p.id, p.body from public.posts as p order by p.id$$), ('comments', $$select c.body from public.post_comments as c order by 1$$),
  ('articles', $$select a.title, (select count(*) from public.article_comments as c where c.article_id = a.id) from public.articles as a$$),
  ('files', $$select o.name from storage.objects as o order by 1$$), ('members', $$select m.user_id, m.team_id from public.team_members as m order by 1, 2$$),
  ('rosters', $$select r.team_id, r.athlete_id from public.rosters as r order by 1, 2$$), ('commitments', $$select c.program from public.commitments as c order by 1$$),
  ('numbers', $$select n.player_id, n.metric, n.value from public.player_numbers as n order by 1, 2$$), ('videos', $$select v.title from public.videos as v order by 1$$);
create temporary table answers (step text, caller text, source text, answer text, primary key (step, caller, source));
create function pg_temp.ask(step text) returns void
language plpgsql
as $$
declare
  caller text;
  source record;
  answer text;
begin
  foreach caller in array array['anon', 'fan', 'pam', 'gil', 'raw', 'ver', 'sco', 'adm'] loop
    for source in select * from sources loop
      perform pg_temp.act(caller);
      begin
        execute format('select jsonb_agg(to_jsonb(a))::text from (%s) as a', source.question) into answer;
      exception when insufficient_privilege then
        answer := 'refused';
      end;
      perform set_config('role', 'none', true);
      insert into answers values (step, caller, source.name, answer);
    end loop;
  end loop;
  perform set_config('request.jwt.claims', '', true);
end
$$;

select pg_temp.ask('before');
-- The queries do find players who are not hidden.
select matches((select answer from answers where (step, caller, source) = ('before', 'fan', 'search')), 'Pat Public', 'search finds a public minor');
select matches((select answer from answers where (step, caller, source) = ('before', 'fan', 'timeline')), '(?=.*pat in public)(?=.*home_run)(?=.*"likes": 2)', 'the timeline has posts, milestones and likes of one');
select matches((select answer from answers where (step, caller, source) = ('before', 'ver', 'rankings')), 'Pat Public', 'rankings have a public minor');
select matches((select answer from answers where (step, caller, source) = ('before', 'fan', 'leaders')), 'Pat Public.*histogram": \{', 'leaderboards have a public minor, and a histogram');
select matches((select answer from answers where (step, caller, source) = ('before', 'sco', 'numbers of the list')), 'Pat Public', 'the numbers of a list have those of a public minor');
select matches((select answer from answers where (step, caller, source) = ('before', 'fan', 'checked leaders of a season')), 'Pat Public', 'checked seasons have a public minor');
select matches((select answer from answers where (step, caller, source) = ('before', 'anon', 'scorebook')), 'Terns', 'visitors read the game log of a public player');
select matches((select answer from answers where (step, caller, source) = ('before', 'fan', 'suggested games and articles')), '(?=.*Terns at Owls)(?=.*Owls win)', 'games and articles are suggested');
select matches((select answer from answers where (step, caller, source) = ('before', 'anon', 'RSS')), 'Owls win', 'visitors read RSS');

-- The hidden: kid, 12, with a guardian; hid, 15, hidden by the guardian; pri, 15, who has not shown the profile; una, whose age is
-- unknown; sus, 15 and public, suspended; and ten, 10, without a guardian.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', initcap(name) || ' Hidden', 'role', 'player', 'public_profile', true)
from unnest(array['kid', 'hid', 'pri', 'una', 'sus', 'ten']) as name;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), private.today() - make_interval(years => age) from (values ('kid', 12), ('hid', 15), ('pri', 15), ('sus', 15), ('ten', 10)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile)
values (pg_temp.id('kid'), pg_temp.id('gus'), 'gus@example.com', 'accepted', false), (pg_temp.id('hid'), pg_temp.id('gus'), 'gus@example.com', 'accepted', true);
update public.users set public_profile = true where id in (pg_temp.id('hid'), pg_temp.id('sus'));
insert into public.suspensions (user_id, reason) values (pg_temp.id('sus'), 'for the test');
create temporary table hidden as select pg_temp.id(name) as id, initcap(name) || ' Hidden' as name from unnest(array['kid', 'hid', 'pri', 'una', 'sus', 'ten']) as name;
select count(pg_temp.settle(lower(left(h.name, 3)))) as settled from hidden as h;
select is((select count(*) from public.posts as p join hidden as h on h.id = p.author_id where p.kind = 'milestone') > 0, true, 'hidden minors have milestones');
select pg_temp.ask('after');

-- Admins read all profiles and what depends on them. Only the lists that are the same for everybody must not change for them.
delete from answers
where caller = 'adm' and source !~ '^(search|sugg|leaders|rankings|percentiles|RSS|articles|numbers of the list|timeline of the team)';
select is_empty(
  format($$select b.source || ': ' || b.answer || ' -> ' || a.answer from answers as b join answers as a using (caller, source)
    where b.step = 'before' and a.step = 'after' and b.caller = %L and b.answer is distinct from a.answer order by 1$$, caller),
  caller || ' gets the same answers as without the hidden')
from unnest(array['anon', 'fan', 'pam', 'gil', 'raw', 'ver', 'sco', 'adm']) as caller;

-- Searches all readable rows of every relation for the id or name of a hidden minor.
create function pg_temp.leaks(caller text) returns setof text
language plpgsql
as $$
declare
  marks constant text := (select string_agg(h.id || '|' || h.name || '|' || lower(left(h.name, 3)) || ' (High|State|bats|says|in public|to )', '|') from hidden as h);
  relation record;
  found bigint;
begin
  perform pg_temp.act(caller);
  for relation in
    select c.relname, string_agg(format('t.%I::text', a.attname), ', ' order by a.attnum) as columns
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p') and has_column_privilege(c.oid, a.attnum, 'select')
    group by c.relname
  loop
    execute format('select count(*) from public.%I as t where concat_ws('' '', %s) ~ $1', relation.relname, relation.columns) into found using marks;
    if found > 0 then
      return next format('%s: %s', relation.relname, found);
    end if;
  end loop;
  perform set_config('role', 'none', true);
end
$$;
-- Callers know the players whom they follow or have on a watchlist, so these tables are left out.
select is_empty(format('select * from pg_temp.leaks(%L) as l where l !~ ''^(follows|watchlist_players):''', caller), caller || ' reads no row of somebody hidden')
from unnest(array['anon', 'fan', 'pam', 'gil', 'raw', 'ver', 'sco']) as caller;
select isnt_empty($$select * from pg_temp.leaks('gus') as l where l ~ '^(posts|players|measurements)'$$, 'the guardian reads such rows, which shows that the check can fail');

-- Previews are requested without an account.
create function pg_temp.preview(person uuid) returns jsonb
language plpgsql
as $$
declare
  head jsonb;
begin
  perform pg_temp.act('anon');
  head := public.page_meta('/player/' || person);
  perform set_config('role', 'none', true);
  return head;
end
$$;
select pg_temp.act('anon');
select is(public.page_meta('/player/' || pg_temp.id('pat')) ->> 'title', 'Pat Public', 'a public minor has a preview');
reset role;
select is_empty($$select h.name from hidden as h where pg_temp.preview(h.id) is not null$$, 'hidden minors have no preview');

-- The functions that return rows or documents, without those about the caller alone and those of admins.
select is_empty(
  $$select p.proname from pg_proc as p
    where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      and (p.proretset or p.prorettype in ('jsonb'::regtype, 'public."*/*"'::regtype))
      and p.proname !~ '^(my_|admin_|export_my_data$|referral_funnel$|posting_rights$|newsroom_rights$|first_tasks$)'
      and not exists (select from sources as s where s.question like '%public.' || p.proname || '(%')$$,
  'every function that lists something is in the matrix');
select * from finish();
rollback;

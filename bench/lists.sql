-- Rows for the lists: measurements, pitching, three runs of ratings, posts and articles. bench/search.sql must run first, because
-- it adds the people. With 200,000 players these are more than 2,000,000 rows of statistics.
\set ON_ERROR_STOP on
set client_min_messages = warning;
alter table public.measurements disable trigger user;
alter table public.pitching_lines disable trigger user;
alter table public.coaches disable trigger user;
alter table public.follows disable trigger user;
alter table public.posts disable trigger user;
alter table public.post_comments disable trigger user;
alter table public.saved_searches disable trigger user;
alter table public.college_targets disable trigger user;
alter table public.college_tasks disable trigger user;
alter table public.articles disable trigger user;
select setseed(0.5);

-- Two measurements of each kind for each player; for every third player one of them is verified.
insert into public.measurements (player_id, kind, value, source, verified_at, taken_at)
select p.id, k.kind, round((k.least + (k.most - k.least) * random())::numeric, k.digits), case when (p.n + k.place) % 3 = 0 then 'event' else 'self' end,
  case when (p.n + k.place) % 3 = 0 then timestamptz '2026-06-02' end, date '2026-06-01' - 180 * again
from people as p, generate_series(0, 1) as again, (values ('sixty_yard_dash', 6.4, 8.5, 2, 1), ('exit_velocity_max', 70, 102, 1, 2), ('bat_speed', 50, 80, 1, 3),
  ('fastball_max', 65, 96, 1, 4), ('infield_velocity', 60, 92, 1, 5)) as k (kind, least, most, digits, place)
where p.n % 50 <> 0;
insert into public.pitching_lines (player_id, season, g, outs, h, r, er, bb, so)
select p.id, 2026, 12, 15 + floor(120 * random())::integer, 30, 20, floor(20 * random())::integer, 15, floor(60 * random())::integer
from people as p where p.n % 50 <> 0 and p.a < 0.3;

insert into public.rating_runs (kind, method, params, data_hash, created_at)
select 'players', 'bench', '{"weights": {"hitter": [20, 25, 15, 25, 5], "pitcher": [35, 25, 15, 10, 5]},
  "parts": {"hitter": ["sixty", "exit", "arm", "bat", "size"], "pitcher": ["fastball", "command", "strikes", "spin", "size"]}}',
  repeat('a', 64), now() - n * interval '1 week'
from generate_series(0, 2) as n;
create temporary table drawn as
select u.id as run, p.id as player, p.a < 0.3 as pitcher,
  array[x.s1, x.s2, x.s3, x.s4, x.s5] as scores, array[1, 1, (p.n % 2)::double precision, (p.n % 3 / 2)::double precision, 1] as counts
from public.rating_runs as u, people as p, lateral (
  select normal[1] as s1, normal[2] as s2, normal[3] * (p.n % 2) as s3, normal[4] * (p.n % 3 / 2) as s4, normal[5] as s5
  from (select array[p.a, p.b, p.c, p.a * p.b * 2, p.b + p.c - 0.5, random()] as r) as d,
    lateral (select array(select round((6 * (x - 0.5) + d.r[6] / 5)::numeric, 4)::double precision from unnest(d.r[1:5]) as x) as normal) as n
) as x
where u.kind = 'players' and p.n % 50 <> 0;
select format('insert into public.player_ratings (run_id, player_id, pitcher, scores, doubts, counts, parts, value, sd, ranks)
  select r.run, r.player, r.pitcher, r.scores, r.doubts, r.counts, %L::jsonb, %s from (
    select d.*, array[0.3, 0.3, 0.8, 0.8, 0.1]::double precision[] as doubts from drawn as d) as r',
  (select jsonb_agg(jsonb_build_object('part', part, 'metric', 'sixty_yard_dash', 'value', 7.1, 'source', 'event', 'taken_at', '2026-06-01', 'stale', false,
    'percentile', 70, 'n', 512, 'group', 'class')) from unnest(array['sixty', 'exit', 'arm', 'bat', 'size']) as part),
  private.composite('{"hitter": [20, 25, 15, 25, 5], "pitcher": [35, 25, 15, 10, 5]}')) \gexec

-- One in fifty is a verified coach.
insert into public.coaches (user_id, verified_at) select p.id, now() from people as p where p.n % 50 = 0;
insert into public.posts (author_id, visibility, body, created_at, minor_until, by_coach)
select p.id, (array['public', 'public', 'followers', 'self'])[1 + p.n % 4], 'A post of a player.', now() - p.n * interval '1 minute',
  private.minor_until(p.id), p.n % 50 = 0
from people as p where p.n % 2 = 0;
insert into public.posts (author_id, visibility, team_id, body, created_at, minor_until)
select m.user_id, 'team', m.team_id, 'A post to the team.', now() - p.n * interval '1 minute', private.minor_until(p.id)
from people as p join public.team_members as m on m.user_id = p.id where p.n % 10 = 1;
-- The callers of bench/lists-times.sql: an adult and a minor in a team, who follow 300 people and have the same lists.
create table public.bench_callers as
select distinct on (who) case when private.is_minor(p.id) then 'minor' else 'adult' end as who, p.id
from people as p where p.n % 50 = 1 and p.n % 20 <> 0 order by who, p.n;
insert into public.follows (follower_id, followed_id)
select c.id, p.id from public.bench_callers as c, people as p where p.n % 2 = 0 and p.n <= 600 and p.id <> c.id;
insert into public.posts (author_id, visibility, body, created_at, minor_until)
select c.id, 'public', 'A post of the caller.', now() - n * interval '7 hours', private.minor_until(c.id) from public.bench_callers as c, generate_series(1, 50) as n;
-- 500 comments on the latest post of a coach, one on every fifth post.
create temporary table coach_post as select id, author_id from public.posts where by_coach and visibility = 'public' order by created_at desc limit 1;
insert into public.post_comments (post_id, author_id, body, created_at, minor_until, by_coach)
select p.id, case when w.n % 10 = 0 then p.author_id else w.id end, 'A comment.', now() - w.n * interval '1 minute',
  case when w.n % 10 = 0 then '-infinity' else private.minor_until(w.id) end, w.n % 10 = 0
from coach_post as p, people as w where w.n <= 500;
insert into public.post_comments (post_id, author_id, body, minor_until)
select p.id, w.id, 'A comment.', private.minor_until(w.id)
from (select id, row_number() over () as n from public.posts where visibility = 'public') as p join people as w on w.n = p.n where p.n % 5 = 0;
insert into public.saved_searches (owner_id, name, filters)
select p.id, 'Search ' || g.n, '{"state": ["OR"]}' from people as p, generate_series(1, 3) as g (n) where p.n % 20 = 3;
insert into public.saved_searches (owner_id, name, filters) select c.id, 'Search ' || n, '{"state": ["OR"]}' from public.bench_callers as c, generate_series(4, 10) as n;
insert into public.programs (id, name, institution, state, division)
select 'bench-' || n, 'Program ' || n, 'Institution ' || n, 'OR', 1 from generate_series(1, 30) as n;
insert into public.college_targets (player_id, program_id)
select p.user_id, g.id from (select user_id, row_number() over (order by user_id) as n from public.players) as p, public.programs as g
where g.id like 'bench-%' and (p.n % 50 = 0 or p.user_id in (select c.id from public.bench_callers as c));
insert into public.college_tasks (player_id, grade, title) select distinct t.player_id, n, 'A task' from public.college_targets as t, generate_series(9, 12) as n;
insert into public.articles (title, summary, body, tags, status, published_at)
select 'Article ' || n, 'A summary.', 'A body.', array[(array['camps', 'results', 'rules'])[1 + n % 3]], 'published', now() - n * interval '1 hour'
from generate_series(1, 10000) as n;
vacuum analyze public.measurements, public.pitching_lines, public.player_ratings, public.rating_runs, public.posts, public.articles, public.follows,
  public.post_comments, public.saved_searches, public.college_targets, public.college_tasks, public.coaches;
-- Fills by hand the tables that triggers normally keep.
select private.place_players(null);
select count(*) from (select private.keep_standings(array_agg(p.id)) from people as p group by p.n / 500) as kept;
vacuum analyze private.ranked_players, private.rating_counts, private.standings;

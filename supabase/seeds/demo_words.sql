-- Posts, comments and an article by the invented people, about the games of demo_season.sql, which runs first by its name.

create or replace function pg_temp.person(number integer) returns uuid
language sql immutable
as $$ select ('d0600000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

create or replace function pg_temp.thing(name text) returns uuid
language sql immutable
as $$ select overlay(overlay(md5('dugout ' || name) placing '4' from 13) placing '8' from 17)::uuid $$;

create temporary table last_game on commit drop as
select g.id, g.owner_team_id as team_id, g.home_name, g.visitor_name, g.home_runs, g.visitor_runs, g.played_on
from public.games as g join public.team_members as m on m.team_id = g.owner_team_id and m.user_id = pg_temp.person(201)
where g.status = 'final' order by g.played_on desc limit 1;

insert into public.posts (id, author_id, visibility, team_id, game_id, body, created_at)
select pg_temp.thing('post ' || p.name), u.id, p.visibility,
  case when p.visibility = 'team' then (select team_id from last_game) end,
  case when p.about then (select id from last_game) end, p.body, now() - p.ago
from (values
  ('1', 201, 'public', true, 'Good energy from the bench, first inning to last. Now on the road.', interval '14 hours'),
  ('2', 1, 'public', false, 'Two months of tee work on the outside pitch. It starts to show.', interval '1 day 3 hours'),
  ('3', 301, 'public', false, 'In the Cascade Valley all week. The middle infielders here are worth the drive.', interval '2 days'),
  ('4', 201, 'team', false, 'Bus leaves at 4:15 from the east lot. Bring both jerseys.', interval '5 hours')
) as p (name, author, visibility, about, body, ago)
join public.users as u on u.id = pg_temp.person(p.author)
where exists (select from last_game)
on conflict do nothing;

insert into public.post_likes (post_id, user_id)
select pg_temp.thing('post ' || p), u.id
from unnest(array['1', '2', '3']) as p, public.users as u
where u.id in (pg_temp.person(301), pg_temp.person(401), pg_temp.person(402)) and exists (select from public.posts where id = pg_temp.thing('post ' || p))
on conflict do nothing;

insert into public.articles (id, author_id, team_id, game_id, kind, title, summary, body, tags, status, published_at)
select pg_temp.thing('article 1'), pg_temp.person(201), g.team_id, g.id, 'news',
  case when g.home_runs > g.visitor_runs then 'Herons hold on at home' else 'Herons fall short at home' end,
  format('%s %s, %s %s.', g.home_name, g.home_runs, g.visitor_name, g.visitor_runs),
  format(E'The %s and the %s played seven innings at home. The final score was **%s to %s**.\n\n## What comes next\n\nThe next game is at the Juniper Ridge Miners. The scorebook of this one is open to everybody, play by play.',
    g.home_name, g.visitor_name, greatest(g.home_runs, g.visitor_runs), least(g.home_runs, g.visitor_runs)),
  array['herons', 'cascade valley'], 'published', now() - interval '12 hours'
from last_game as g
on conflict do nothing;

-- What Home shows by role: games, and what changed in numbers. Both run as their caller, under the policies of games,
-- lineups, measurements and profiles.

-- The games of the caller's teams, and those in which somebody plays whom the caller follows: live ones, the next week, and
-- the last. followed: the names of these players.
create function public.home_games()
returns table (id uuid, visitor_name text, home_name text, visitor_runs smallint, home_runs smallint, status text,
  inning smallint, innings smallint, batting smallint, home_bats_first boolean, outs smallint, bases boolean[],
  played_on date, starts_at timestamptz, place text, own boolean, followed text[])
language sql stable security invoker
set search_path = ''
as $$
  with near as (
    select g.id, g.visitor_team_id, g.home_team_id, g.visitor_name, g.home_name, g.visitor_runs, g.home_runs, g.status, g.inning,
      g.innings, g.batting, g.home_bats_first, g.outs, g.on_first, g.on_second, g.on_third, g.played_on, g.starts_at, g.place
    from public.games as g
    where (g.visitor_team_id in (select private.own_teams()) or g.home_team_id in (select private.own_teams())
        or g.id in (select private.followed_games()))
      and g.status <> 'cancelled'
      and g.played_on between (now() at time zone 'utc')::date - 8 and (now() at time zone 'utc')::date + 30
  )
  select n.id, n.visitor_name, n.home_name, n.visitor_runs, n.home_runs, n.status, n.inning, n.innings, n.batting,
    n.home_bats_first, n.outs, array[n.on_first is not null, n.on_second is not null, n.on_third is not null],
    n.played_on, n.starts_at, n.place,
    coalesce(n.visitor_team_id in (select private.own_teams()) or n.home_team_id in (select private.own_teams()), false),
    (select coalesce(array_agg(p.full_name order by p.full_name), '{}')
     from public.lineups as l
     join public.athlete_identities as i on i.athlete_id = l.athlete_id
     join public.profiles as p on p.id = i.user_id and p.public_profile
     where l.game_id = n.id and i.user_id in (select private.followed_people()))
  from near as n
  order by case n.status when 'live' then 0 when 'suspended' then 1 when 'scheduled' then 2 else 3 end,
    case when n.status in ('live', 'suspended', 'scheduled') then n.played_on end, n.starts_at, n.played_on desc, n.id
  limit 12
$$;
revoke all on function public.home_games() from public, anon, authenticated;
grant execute on function public.home_games() to authenticated;

-- Measurements since a day beside the one before of the same kind: the caller's own, or those of the players on the caller's
-- lists. The latest first, and of every player and kind only the latest.
create function public.number_changes(since date, listed boolean default false)
returns table (id uuid, player_id uuid, full_name text, positions text[], grad_year integer, kind text, label text,
  decimals integer, unit text, lower_is_better boolean, was numeric, now numeric, taken_at date, source text, verified boolean)
language sql stable security invoker
set search_path = ''
as $$
  with people as (
    select (select auth.uid()) as id where not listed
    union
    select w.player_id from public.watchlist_players as w join public.watchlists as l on l.id = w.watchlist_id
    where listed and l.owner_id = (select auth.uid())
  ), latest as (
    select distinct on (m.player_id, m.kind) m.*
    from public.measurements as m join people as who on who.id = m.player_id
    where m.taken_at >= since
    order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  )
  select l.id, l.player_id, p.full_name, y.positions, y.grad_year, l.kind, k.label, k.decimals, l.unit, k.lower_is_better,
    (select m.value from public.measurements as m
     where m.player_id = l.player_id and m.kind = l.kind and (m.taken_at, m.created_at) < (l.taken_at, l.created_at)
     order by m.taken_at desc, m.created_at desc limit 1),
    l.value, l.taken_at, l.source, l.verified_at is not null
  from latest as l
  join public.measurement_kinds as k on k.kind = l.kind
  join public.profiles as p on p.id = l.player_id
  left join public.players as y on y.user_id = l.player_id
  order by l.taken_at desc, l.created_at desc, l.id
  limit 20
$$;
revoke all on function public.number_changes(date, boolean) from public, anon, authenticated;
grant execute on function public.number_changes(date, boolean) to authenticated;

-- The tasks of somebody who is new, by role, and which are done.
create function public.first_tasks() returns table (task text, done boolean)
language sql stable security definer
set search_path = ''
as $$
  with me as (select u.id, u.role from public.users as u where u.id = auth.uid() and private.is_own_app() and not private.is_suspended())
  select t.task, t.done
  from me, lateral (
    select 1, 'birth_date', exists (select from public.birth_dates as b where b.user_id = me.id) where me.role in ('fan', 'scout')
    union all select 2, 'facts', exists (
      select from public.players as p where p.user_id = me.id and cardinality(p.positions) > 0 and p.grad_year is not null) where me.role = 'player'
    union all select 3, 'measurement', exists (select from public.measurements as m where m.player_id = me.id) where me.role = 'player'
    union all select 4, 'team', exists (
      select from public.team_members as m where m.user_id = me.id and m.role = 'coach' and m.status = 'active') where me.role = 'coach'
    union all select 5, 'players', exists (
      select from public.team_members as c
      join public.team_members as m on m.team_id = c.team_id and m.role = 'player'
      where c.user_id = me.id and c.role = 'coach' and c.status = 'active') where me.role = 'coach'
    union all select 6, 'game', exists (select from public.games as g where g.created_by = me.id) where me.role = 'coach'
    union all select 7, 'follow', exists (select from public.follows as f where f.follower_id = me.id) where me.role in ('player', 'fan')
    union all select 8, 'list', exists (select from public.watchlists as w where w.owner_id = me.id) where me.role = 'scout'
    union all select 9, 'listed', exists (
      select from public.watchlists as w join public.watchlist_players as p on p.watchlist_id = w.id where w.owner_id = me.id) where me.role = 'scout'
    union all select 10, 'post', exists (select from public.posts as p where p.author_id = me.id and p.kind = 'post') where me.role = 'fan'
  ) as t (place, task, done)
  order by t.place
$$;
revoke all on function public.first_tasks() from public, anon, authenticated;
grant execute on function public.first_tasks() to authenticated;

-- Those whom the caller follows, 20 at a time, with what they do now: the last public game, the last seven days beside the season, and
-- the next game. Ordered by the OPS of the last seven days, those without a plate appearance last, or by name. `place` is what the
-- order compares: the next page begins after the last row's place, name and id.
create function public.followed_now(sort text default 'form', after_place numeric default null, after_name text default null,
  after_id uuid default null)
returns table (id uuid, full_name text, role text, photo text, muted boolean, since timestamptz, positions text[], grad_year integer,
  state text, place numeric, week jsonb, last_game jsonb, next_game jsonb)
language sql stable security invoker
set search_path = ''
as $$
  with mine as materialized (
    select p.id, p.full_name, p.role, p.photo, f.muted, f.created_at as since, i.athlete_id
    from public.follows as f
    join public.profiles as p on p.id = f.followed_id
    left join public.athlete_identities as i on i.user_id = p.id
    where f.follower_id = (select auth.uid())
  ), batted as materialized (
    select m.id, sum(b.pa) as pa, sum(b.ab) as ab, sum(b.h) as h, sum(b.h + b.bb + b.hbp) as on_base,
      sum(b.ab + b.bb + b.hbp + b.sf) as chances, sum(b.h + b.doubles + 2 * b.triples + 3 * b.hr) as bases
    from mine as m
    join public.player_game_batting as b on b.athlete_id = m.athlete_id
    join public.games as g on g.id = b.game_id and g.status = 'final' and g.is_public
      and g.played_on between (now() at time zone 'utc')::date - 6 and (now() at time zone 'utc')::date
    group by m.id
  ), formed as (
    select m.*, b.pa, b.ab, b.h, round(b.on_base::numeric / nullif(b.chances, 0) + b.bases::numeric / nullif(b.ab, 0), 3) as ops
    from mine as m left join batted as b on b.id = m.id
  ), page as materialized (
    select f.*, o.place from formed as f
    cross join lateral (select case when sort = 'name' then 0 else - coalesce(f.ops, -1) end as place) as o
    where after_id is null or (o.place, f.full_name, f.id) > (after_place, after_name, after_id)
    order by o.place, f.full_name, f.id limit 20
  )
  select p.id, p.full_name, p.role, p.photo, p.muted, p.since, y.positions, y.grad_year, y.state, p.place,
    case when p.pa > 0 then jsonb_build_object('pa', p.pa, 'ab', p.ab, 'h', p.h, 'ops', p.ops, 'season_ops', (
      select round((sum(b.h + b.bb + b.hbp)::numeric / nullif(sum(b.ab + b.bb + b.hbp + b.sf), 0)
        + sum(b.h + b.doubles + 2 * b.triples + 3 * b.hr)::numeric / nullif(sum(b.ab), 0)), 3)
      from public.player_season_batting as b join public.seasons as s on s.id = b.season_id
      where b.athlete_id = p.athlete_id and s.year = extract(year from now() at time zone 'utc'))) end,
    (select jsonb_build_object('id', g.id, 'played_on', g.played_on, 'home', l.side = 1,
        'opponent', case l.side when 0 then g.home_name else g.visitor_name end,
        'runs', case l.side when 0 then g.visitor_runs else g.home_runs end,
        'allowed', case l.side when 0 then g.home_runs else g.visitor_runs end,
        'batting', (select jsonb_build_object('pa', b.pa, 'ab', b.ab, 'r', b.r, 'h', b.h, 'doubles', b.doubles, 'triples', b.triples,
            'hr', b.hr, 'rbi', b.rbi, 'bb', b.bb, 'so', b.so, 'sb', b.sb)
          from public.player_game_batting as b where b.athlete_id = p.athlete_id and b.game_id = g.id and b.pa > 0),
        'pitching', (select jsonb_build_object('outs', t.outs, 'h', t.h, 'r', t.r, 'er', t.er, 'bb', t.bb, 'so', t.so, 'w', t.w, 'l', t.l,
            'sv', t.sv, 'pitches', t.pitches)
          from public.player_game_pitching as t where t.athlete_id = p.athlete_id and t.game_id = g.id))
     from (
       select b.game_id, b.side from public.player_game_batting as b where b.athlete_id = p.athlete_id
       union
       select t.game_id, t.side from public.player_game_pitching as t where t.athlete_id = p.athlete_id) as l
     join public.games as g on g.id = l.game_id
     where g.status = 'final' and g.is_public order by g.played_on desc, g.number desc, g.id limit 1),
    (select jsonb_build_object('id', g.id, 'played_on', g.played_on, 'starts_at', g.starts_at, 'visitor_name', g.visitor_name,
        'home_name', g.home_name, 'status', g.status)
     from public.games as g
     where g.status in ('scheduled', 'live') and g.is_public and g.played_on >= (now() at time zone 'utc')::date
       and exists (select from public.team_members as m where m.user_id = p.id and m.role = 'player' and m.status = 'active'
         and m.team_id in (g.visitor_team_id, g.home_team_id))
     order by g.played_on, g.starts_at, g.id limit 1)
  from page as p
  left join public.players as y on y.user_id = p.id
  order by p.place, p.full_name, p.id
$$;
revoke all on function public.followed_now(text, numeric, text, uuid) from public, anon, authenticated;
grant execute on function public.followed_now(text, numeric, text, uuid) to authenticated;

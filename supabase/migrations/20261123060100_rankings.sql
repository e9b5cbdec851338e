-- What /rankings calls. Places are counted anew for each caller's list, among those who are public now, so that a gap never shows
-- that somebody is hidden.

-- The ratings of run "run" (SQL) as a query of id, value, sd and ranks (whether there is enough to rank by). weights: null for the run's.
create function private.rated(kind text, run text, weights jsonb, filters jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  condition text := '';
  part record;
begin
  for part in select * from jsonb_each_text(filters) as f (key, value) where f.value <> '' loop
    condition := condition || ' and ' || case kind || ' ' || part.key
      when 'teams state' then format('t.state = %L', part.value)
      when 'teams league' then format('t.league_id = %L::uuid', part.value)
      when 'players state' then format('s.state = %L', part.value)
      when 'players class' then format('s.grad_year = %L::integer', part.value)
      when 'players position' then format('s.position_group = %L', part.value)
    end;
    if condition is null then
      raise exception 'The filter % cannot be read.', part.key using errcode = 'PT400';
    end if;
  end loop;
  if kind = 'teams' then
    return format($sql$
      select r.team_id as id, round(r.value::numeric, 2)::double precision as value, round(r.sd::numeric, 2)::double precision as sd,
        true as ranks
      from public.team_ratings as r join public.teams as t on t.id = r.team_id
      where r.run_id = %s and t.active and t.vetted%s$sql$, run, condition);
  end if;
  -- As on leaderboards: who is public now.
  return format($sql$
    select r.player_id as id, %s from public.player_ratings as r join private.search_people as s on s.id = r.player_id
    where r.run_id = %s and s.role = 'player' and s.shown_from <= private.today()%s$sql$,
    case when weights is null then 'r.value, r.sd, r.ranks' else private.composite(weights) end, run, condition);
end
$$;
revoke all on function private.rated(text, text, jsonb, jsonb) from public;

-- What the list shows of a player besides the places: who it is, and the parts with the points each adds to 50.
create function private.rated_player(run uuid, player uuid, weights jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('name', who.full_name, 'positions', p.positions, 'class', p.grad_year, 'state', p.state,
    'team', private.public_team(p.user_id), 'parts', (
      select jsonb_agg(case when jsonb_typeof(a.part) = 'object' then a.part || jsonb_build_object('weight', w.weights[a.n],
        'points', round((10 * w.weights[a.n] * r.counts[a.n] * r.scores[a.n] / nullif(total.counted, 0))::numeric, 2)) end order by a.n)
      from jsonb_array_elements(r.parts) with ordinality as a (part, n)))
  from public.player_ratings as r
  join public.players as p on p.user_id = r.player_id join public.profiles as who on who.id = r.player_id
  cross join lateral (select private.weights_of(rated_player.weights, case when r.pitcher then 'pitcher' else 'hitter' end) as weights) as w
  cross join lateral (select sum(u.weight * u.counts) as counted from unnest(w.weights, r.counts) as u (weight, counts)) as total
  where r.run_id = run and r.player_id = player
$$;
revoke all on function private.rated_player(uuid, uuid, jsonb) from public;

create function private.rated_team(run uuid, team uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('name', t.name, 'city', t.city, 'state', t.state, 'league', l.name, 'wins', r.wins, 'losses', r.losses,
    'ties', r.ties, 'elo', round(r.elo), 'rpi', round(r.rpi::numeric, 4), 'pool', r.pool,
    'provisional', r.wins + r.losses + r.ties < (u.params ->> 'least_games')::integer, 'why', (
      select coalesce(jsonb_agg(y.opponent || jsonb_build_object('name', o.name) order by y.n), '[]')
      from jsonb_array_elements(r.why) with ordinality as y (opponent, n)
      left join public.teams as o on o.id = (y.opponent ->> 'id')::uuid and o.active and o.vetted))
  from public.team_ratings as r join public.rating_runs as u on u.id = r.run_id join public.teams as t on t.id = r.team_id
  left join public.leagues as l on l.id = t.league_id
  where r.run_id = run and r.team_id = team
$$;
revoke all on function private.rated_team(uuid, uuid) from public;

-- A page of the last run. kind: teams or players. filters: state, class, position (a group) for players, state and league for
-- teams. weights: {"hitter": […], "pitcher": […]}, null for the run's. after: next of the page before. Returns run, total (how many
-- are ranked), unranked (how many have less than half of the weights measured), pools (teams: how many groups without a game between
-- them), rows, you, next. A row's previous rank is that of the run before, or with weights of the caller that of the run's weights;
-- best and worst are the places that nine of ten runs with the same doubt would give.
create function public.rankings(kind text, filters jsonb default '{}', weights jsonb default null, after jsonb default null,
  places integer default 50)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  latest public.rating_runs;
  earlier uuid[];
  history text;
  board jsonb;
begin
  if kind not in ('teams', 'players') or places not between 1 and 200 then
    raise exception 'kind is teams or players; up to 200 places are listed.' using errcode = 'PT400';
  end if;
  select r.* into latest from public.rating_runs as r where r.kind = rankings.kind order by r.season desc nulls last, r.created_at desc limit 1;
  if latest.id is null then
    return jsonb_build_object('run', null, 'total', 0, 'unranked', 0, 'pools', 0, 'rows', '[]'::jsonb, 'you', null, 'next', null);
  end if;
  weights := case when kind = 'players' then nullif(weights, latest.params -> 'weights') end;
  earlier := array(
    select r.id from public.rating_runs as r
    where r.kind = rankings.kind and r.season is not distinct from latest.season order by r.created_at desc, r.id limit 12);
  history := format($sql$select jsonb_agg(h.value order by h.n desc) from (
      select e.n, %s from unnest($2) with ordinality as e (run, n) join public.%s as h on h.run_id = e.run and h.%s = d.id) as h$sql$,
    case when kind = 'teams' then 'round(h.value::numeric, 2) as value' when weights is null then 'h.value'
      else regexp_replace(private.composite(weights), '\mr\.', 'h.', 'g') end,
    case when kind = 'teams' then 'team_ratings' else 'player_ratings' end, case when kind = 'teams' then 'team_id' else 'player_id' end);
  execute private.ranking(
    private.rated(kind, '$1', weights, filters),
    private.rated(kind, case when weights is null then '($2)[2]' else '$1' end, null, filters), history,
    case when kind = 'players' then 'private.rated_player($1, d.id, $6)' else 'private.rated_team($1, d.id)' end)
  into board using latest.id, earlier, uid, (after ->> 'value')::double precision, (after ->> 'id')::uuid,
    coalesce(weights, latest.params -> 'weights'), places;
  return board || jsonb_build_object(
    'run', jsonb_build_object('id', latest.id, 'kind', latest.kind, 'season', latest.season, 'method', latest.method, 'params', latest.params,
      'data_hash', latest.data_hash, 'created_at', latest.created_at),
    'pools', case when kind = 'teams' then (
      select count(distinct r.pool) from public.team_ratings as r join public.teams as t on t.id = r.team_id
      where r.run_id = latest.id and t.active and t.vetted and (coalesce(filters ->> 'league', '') = '' or t.league_id = (filters ->> 'league')::uuid)) end);
end
$$;

-- The query of a page. $1: the run, $2: the runs of the history, the newest first, $3: the caller, $4 and $5: behind whom the page
-- begins, $6: the weights, $7: how many rows. Places are counted by the distinct values ("values") and how many rows are up to each
-- ("upto"), which is faster than sorting all rows.
create function private.ranking(rated text, before text, history text, details text) returns text
language sql immutable
set search_path = ''
as $$
  select format($sql$
    with r as materialized (%1$s), n as materialized (
      select array_agg(c.value order by c.value) as values, array_agg(c.upto order by c.value) as upto, coalesce(max(c.upto), 0) as total
      from (select value, sum(count(*)) over (order by value)::integer as upto from r where ranks group by value) as c
    ), b as materialized (
      select array_agg(c.value order by c.value) as values, array_agg(c.upto order by c.value) as upto, coalesce(max(c.upto), 0) as total
      from (select value, sum(count(*)) over (order by value)::integer as upto from (%2$s) as earlier where ranks group by value) as c
    ), page as materialized (
      select f.*, row_number() over (order by f.value desc, f.id) as n from (
        select * from r where ranks and ($4 is null or value < $4 or (value = $4 and id > $5)) order by value desc, id limit $7 + 1) as f
    ), described as (
      select d.id, d.n, jsonb_build_object('id', d.id, 'rank', place.rank, 'previous', p.rank, 'value', d.value, 'sd', d.sd,
        'best', case when d.ranks then least(place.rank, 1 + n.total - coalesce(n.upto[width_bucket(d.value + 1.645 * d.sd, n.values)], 0)) end,
        'worst', case when d.ranks then greatest(place.rank, n.total - coalesce(n.upto[width_bucket(d.value - 1.645 * d.sd, n.values)], 0)) end,
        'history', (%3$s)) || %4$s as entry
      from (select id, value, sd, ranks, n from page where n <= $7 union all
        select id, value, sd, ranks, null from r where id = $3 and not exists (select from page where page.id = $3 and page.n <= $7)) as d
      cross join n
      cross join lateral (
        select case when d.ranks then 1 + n.total - coalesce(n.upto[width_bucket(d.value, n.values)], 0) end as rank) as place
      left join lateral (
        select 1 + b.total - coalesce(b.upto[width_bucket(e.value, b.values)], 0) as rank
        from (%2$s) as e, b where e.id = d.id and e.ranks) as p on true
    )
    select jsonb_build_object('total', n.total, 'unranked', (select count(*) from r where not ranks),
      'rows', coalesce((select jsonb_agg(e.entry order by e.n) from described as e where e.n is not null), '[]'),
      'you', (select e.entry from described as e where e.id = $3),
      'next', (select jsonb_build_object('value', l.value, 'id', l.id) from page as l
        where l.n = $7 and exists (select from page where page.n = $7 + 1)))
    from n$sql$, rated, before, history, details)
$$;
revoke all on function private.ranking(text, text, text, text) from public;
revoke all on function public.rankings(text, jsonb, jsonb, jsonb, integer) from public, anon, authenticated;
grant execute on function public.rankings(text, jsonb, jsonb, jsonb, integer) to authenticated;

-- What /rankings calls. Places are counted anew for each caller's list, among those who are public now, so that a gap never shows
-- that somebody is hidden.

-- The weights of a list as SQL arrays, checked: {"hitter": [five numbers from 0 to 100], "pitcher": […]}.
create function private.weights_of(weights jsonb, part text) returns double precision[]
language plpgsql immutable
set search_path = ''
as $$
declare
  list double precision[];
begin
  if jsonb_typeof(weights -> part) = 'array' and jsonb_array_length(weights -> part) = 5
    and not exists (select from jsonb_array_elements(weights -> part) as w where jsonb_typeof(w) <> 'number') then
    select array_agg(w::double precision order by n) into list from jsonb_array_elements_text(weights -> part) with ordinality as a (w, n);
    if 0 <= all (list) and 100 >= all (list) and 0 < any (list) then
      return list;
    end if;
  end if;
  raise exception 'Weights are five numbers from 0 to 100, not all 0, for hitter and for pitcher.' using errcode = 'PT400';
end
$$;
revoke all on function private.weights_of(jsonb, text) from public;

-- The composite of player ratings r as SQL. The value: 50, and 10 points for a deviation of the weighted mean of the parts that
-- were measured. sd: the doubts of all parts, also of those not measured. measured: the share of the weights that was measured.
create function private.composite(weights jsonb) returns text
language sql stable
set search_path = ''
as $$
  with sums as (
    select w.pitcher, string_agg(format('%s * r.counts[%s] * r.scores[%s]', w.weight, w.n, w.n), ' + ') as scored,
      string_agg(format('%s * r.counts[%s]', w.weight, w.n), ' + ') as counted,
      string_agg(format('%s * r.doubts[%s] ^ 2', w.weight ^ 2, w.n), ' + ') as doubted,
      string_agg(format('case when r.counts[%s] > 0 then %s else 0 end', w.n, w.weight), ' + ') as measured, sum(w.weight) as total
    from (
      select false as pitcher, h.* from unnest(private.weights_of(weights, 'hitter')) with ordinality as h (weight, n)
      union all select true, p.* from unnest(private.weights_of(weights, 'pitcher')) with ordinality as p (weight, n)
    ) as w group by w.pitcher
  )
  select format('round((50 + 10 * case when r.pitcher then (%s) / nullif(%s, 0) else (%s) / nullif(%s, 0) end)::numeric, 2) as value,
      round((10 * case when r.pitcher then sqrt(%s) / %s else sqrt(%s) / %s end)::numeric, 2) as sd,
      case when r.pitcher then (%s) / %s::double precision else (%s) / %s::double precision end as measured',
    p.scored, p.counted, h.scored, h.counted, p.doubted, p.total, h.doubted, h.total, p.measured, p.total, h.measured, h.total)
  from sums as p, sums as h where p.pitcher and not h.pitcher
$$;
revoke all on function private.composite(jsonb) from public;

-- The ratings of run "run" (SQL) as a query of id, value, sd and ranks (whether there is enough to rank by).
create function private.rated(kind text, run text, weights jsonb, filters jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  condition text := '';
  part record;
begin
  if kind = 'players' then
    return format($sql$
      select c.id, c.value, c.sd, c.measured >= 0.5 as ranks from (
        select r.player_id as id, %s from public.player_ratings as r
        join private.search_people as s on s.id = r.player_id join public.birth_dates as b on b.user_id = s.id
        where r.run_id = %s and %s
      ) as c$sql$, private.composite(weights), run, private.leader_condition(filters, extract(year from private.today())::integer));
  end if;
  for part in select * from jsonb_each_text(filters) as f (key, value) where f.value <> '' loop
    condition := condition || ' and ' || case part.key
      when 'state' then format('t.state = %L', part.value)
      when 'league' then format('t.league_id = %L::uuid', part.value)
    end;
    if condition is null then
      raise exception 'The filter % cannot be read.', part.key using errcode = 'PT400';
    end if;
  end loop;
  return format($sql$
    select r.team_id as id, round(r.value::numeric, 2) as value, round(r.sd::numeric, 2) as sd, true as ranks
    from public.team_ratings as r join public.teams as t on t.id = r.team_id
    where r.run_id = %s and t.active and t.vetted%s$sql$, run, condition);
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
  history := case when kind = 'players' then format($sql$select jsonb_agg(h.value order by h.n desc) from (
      select e.n, %s from unnest($2) with ordinality as e (run, n)
      join public.player_ratings as r on r.run_id = e.run and r.player_id = d.id) as h$sql$,
      private.composite(coalesce(weights, latest.params -> 'weights')))
    else $sql$select jsonb_agg(round(r.value::numeric, 2) order by e.n desc) from unnest($2) with ordinality as e (run, n)
      join public.team_ratings as r on r.run_id = e.run and r.team_id = d.id$sql$ end;
  execute private.ranking(
    private.rated(kind, '$1', coalesce(weights, latest.params -> 'weights'), filters),
    private.rated(kind, case when weights is null then '($2)[2]' else '$1' end, latest.params -> 'weights', filters), history,
    case when kind = 'players' then 'private.rated_player($1, d.id, $6)' else 'private.rated_team($1, d.id)' end)
  into board using latest.id, earlier, uid, (after ->> 'value')::numeric, (after ->> 'id')::uuid, coalesce(weights, latest.params -> 'weights'), places;
  return board || jsonb_build_object(
    'run', jsonb_build_object('id', latest.id, 'kind', latest.kind, 'season', latest.season, 'method', latest.method, 'params', latest.params,
      'data_hash', latest.data_hash, 'created_at', latest.created_at),
    'pools', case when kind = 'teams' then (
      select count(distinct r.pool) from public.team_ratings as r join public.teams as t on t.id = r.team_id
      where r.run_id = latest.id and t.active and t.vetted and (coalesce(filters ->> 'league', '') = '' or t.league_id = (filters ->> 'league')::uuid)) end);
end
$$;

-- The query of a page. $1: the run, $2: the runs of the history, the newest first, $3: the caller, $4 and $5: behind whom the page
-- begins, $6: the weights, $7: how many rows.
create function private.ranking(rated text, before text, history text, details text) returns text
language sql immutable
set search_path = ''
as $$
  select format($sql$
    with r as materialized (%s), n as materialized (
      select count(*) filter (where ranks)::integer as total, count(*) filter (where not ranks) as unranked,
        array_agg(value order by value) filter (where ranks) as sorted
      from r
    ), placed as materialized (
      select r.*, case when ranks then rank() over (partition by ranks order by value desc) end as rank from r
    ), previous as materialized (
      select id, rank() over (order by value desc) as rank from (%s) as p where ranks
    ), page as materialized (
      select * from placed where ranks and ($4 is null or value < $4 or (value = $4 and id > $5)) order by value desc, id limit $7
    ), described as (
      select d.id, d.value, jsonb_build_object('id', d.id, 'rank', d.rank, 'previous', p.rank, 'value', d.value, 'sd', d.sd,
        'best', least(d.rank, 1 + n.total - width_bucket(d.value + 1.645 * d.sd, n.sorted)),
        'worst', greatest(d.rank, n.total - width_bucket(d.value - 1.645 * d.sd, n.sorted)), 'history', (%s)) || %s as entry
      from (select * from page union select * from placed where id = $3) as d cross join n left join previous as p on p.id = d.id
    )
    select jsonb_build_object('total', n.total, 'unranked', n.unranked,
      'rows', coalesce((select jsonb_agg(e.entry order by e.value desc, e.id) from described as e join page on page.id = e.id), '[]'),
      'you', (select e.entry from described as e where e.id = $3),
      'next', (select jsonb_build_object('value', l.value, 'id', l.id) from (select * from page order by value, id desc limit 1) as l
        where (select count(*) from page) = $7
          and exists (select from placed where ranks and (value < l.value or (value = l.value and id > l.id)))))
    from n$sql$, rated, before, history, details)
$$;
revoke all on function private.ranking(text, text, text, text) from public;
revoke all on function public.rankings(text, jsonb, jsonb, jsonb, integer) from public, anon, authenticated;
grant execute on function public.rankings(text, jsonb, jsonb, jsonb, integer) to authenticated;

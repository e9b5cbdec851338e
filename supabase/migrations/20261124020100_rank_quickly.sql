-- rankings() reads the rows that 20261124020000 keeps. Its result is the same as before.

-- As in 20261123060000, but rounds double precision instead of numeric: for a hundred thousand players, numeric took longer than
-- everything else.
create or replace function private.composite(weights jsonb) returns text
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
  select format('round(100 * (50 + 10 * case when r.pitcher then (%s) / nullif(%s, 0) else (%s) / nullif(%s, 0) end)) / 100 as value,
      round(100 * 10 * case when r.pitcher then sqrt(%s) / %s else sqrt(%s) / %s end) / 100 as sd,
      case when r.pitcher then (%s) / %s::double precision else (%s) / %s::double precision end >= 0.5 as ranks',
    p.scored, p.counted, h.scored, h.counted, p.doubted, p.total, h.doubted, h.total, p.measured, p.total, h.measured, h.total)
  from sums as p, sums as h where p.pitcher and not h.pitcher
$$;

-- The same value as an SQL expression over a row s of private.ranked_players; -infinity if too few parts are measured to rank.
-- `counts` has 243 possible values, so the weights are summed 243 times instead of once for each player.
create function private.quick_composite(weights jsonb) returns text
language sql stable
set search_path = ''
as $$
  with given as (
    select k.kind, private.weights_of(weights, k.kind) as w from (values ('hitter'), ('pitcher')) as k (kind)
  ), patterns as (
    select g.kind, c.counts,
      sum(g.w[i] * (c.counts / (3 ^ (i - 1))::integer % 3) / 2.0) as counted,
      sum(case when c.counts / (3 ^ (i - 1))::integer % 3 > 0 then g.w[i] else 0 end) >= 0.5 * sum(g.w[i]) as ranks
    from given as g, generate_series(0, 242) as c (counts), generate_series(1, 5) as i group by g.kind, c.counts
  ), written as (
    select p.kind, array_agg(case when p.ranks and p.counted > 0 then 10 / p.counted else -1 end::double precision order by p.counts) as shares
    from patterns as p group by p.kind
  )
  select string_agg(format('%s case when (%L::double precision[])[s.counts + 1] < 0 then %L else round(100 * (50 + (%s * s.part1 + %s * s.part2
      + %s * s.part3 + %s * s.part4 + %s * s.part5) * (%L::double precision[])[s.counts + 1])) / 100 end',
    case g.kind when 'pitcher' then 'case when s.pitcher then' else 'else' end, w.shares, '-infinity',
    g.w[1], g.w[2], g.w[3], g.w[4], g.w[5], w.shares), ' ' order by g.kind desc) || ' end'
  from given as g join written as w on w.kind = g.kind
$$;
revoke all on function private.quick_composite(jsonb) from public;

-- The filters of a ranking as an SQL condition.
create function private.ranking_condition(kind text, filters jsonb) returns text
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
  return condition;
end
$$;
revoke all on function private.ranking_condition(text, jsonb) from public;
drop function private.rated(text, text, jsonb, jsonb);

-- SQL that selects the rated teams or players of a run: id, and value with the run's weights or the given ones.
create function private.ranked_rows(kind text, run text, weights jsonb, condition text) returns text
language sql stable
set search_path = ''
as $$
  select case kind
    when 'teams' then format($sql$
      select r.team_id as id, round(100 * r.value) / 100 as value
      from public.team_ratings as r join public.teams as t on t.id = r.team_id
      where r.run_id = %s and t.active and t.vetted%s$sql$, run, condition)
    else format($sql$
      select s.player_id as id, %s as value from private.ranked_players as s where s.run_id = %s and s.shown_from <= %L::date%s$sql$,
      case when weights is null then 's.value' else private.quick_composite(weights) end, run, private.today(), condition) end
$$;
revoke all on function private.ranked_rows(text, text, jsonb, text) from public;

-- SQL that counts rows by value. Reads private.rating_counts for an unfiltered list of players with the run's weights.
create function private.ranked_counts(kind text, run text, weights jsonb, condition text) returns text
language sql stable
set search_path = ''
as $$
  select case when kind = 'players' and weights is null and condition = '' then format($sql$
      select c.value, c.players from private.rating_counts as c where c.run_id = %1$s and c.players > 0
      union all
      select s.value, 1 from private.ranked_players as s where s.run_id = %1$s and not s.counted and s.shown_from <= %2$L::date$sql$,
      run, private.today())
    else format('select r.value, count(*) as players from (%s) as r group by r.value', private.ranked_rows(kind, run, weights, condition)) end
$$;
revoke all on function private.ranked_counts(text, text, jsonb, text) from public;

-- SQL that selects value, standard deviation and whether it ranks for one row d of a list.
create function private.ranked_value(kind text, weights jsonb) returns text
language sql stable
set search_path = ''
as $$
  select case
    when kind = 'teams' then 'select d.value, round(100 * r.sd) / 100 as sd, true as ranks
      from public.team_ratings as r where r.run_id = $1 and r.team_id = d.id'
    when weights is null then 'select r.value, r.sd, d.value > ''-infinity'' as ranks
      from public.player_ratings as r where r.run_id = $1 and r.player_id = d.id'
    else format('select coalesce(nullif(d.value, ''-infinity''), c.value) as value, c.sd, d.value > ''-infinity'' as ranks
      from (select %s from public.player_ratings as r where r.run_id = $1 and r.player_id = d.id) as c', private.composite(weights)) end
$$;
revoke all on function private.ranked_value(text, jsonb) from public;

-- The query of a keyset page. $1: the run, $2: the runs of the history, newest first, $3: the caller, $4 and $5: value and id of
-- the last row of the previous page, $6: the weights, $7: the number of rows. Ranks come from the distinct values ("values") and
-- the number of rows up to each of them ("upto"), which is faster than sorting all rows. The arguments are SQL: the rows, the
-- caller's row, the counts, the previous run's counts, row d in the previous run, and d's value, history and details.
drop function private.ranking(text, text, text, text);
create function private.ranking(rows text, own text, counts text, counts_before text, row_before text, value text, history text, details text)
returns text
language sql immutable
set search_path = ''
as $$
  select format($sql$
    with counted as materialized (select c.value, sum(c.players) as players from (%3$s) as c group by c.value), n as materialized (
      select array_agg(c.value order by c.value) as values, array_agg(c.upto order by c.value) as upto, coalesce(max(c.upto), 0) as total
      from (select value, (sum(players) over (order by value))::integer as upto from counted where value > '-infinity') as c
    ), b as materialized (
      select array_agg(c.value order by c.value) as values, array_agg(c.upto order by c.value) as upto, coalesce(max(c.upto), 0) as total
      from (select value, (sum(sum(players)) over (order by value))::integer as upto from (%4$s) as e where value > '-infinity' group by value) as c
    ), page as materialized (
      select f.*, row_number() over (order by f.value desc, f.id) as n from (
        select * from (%1$s) as r where value > '-infinity' and ($4 is null or (value <= $4 and (value < $4 or id > $5)))
        order by value desc, id limit $7 + 1) as f
    ), described as (
      select d.id, d.n, jsonb_build_object('id', d.id, 'rank', place.rank, 'previous', p.rank, 'value', o.value, 'sd', o.sd,
        'best', case when o.ranks then least(place.rank, 1 + n.total - coalesce(n.upto[width_bucket(o.value + 1.645 * o.sd, n.values)], 0)) end,
        'worst', case when o.ranks then greatest(place.rank, n.total - coalesce(n.upto[width_bucket(o.value - 1.645 * o.sd, n.values)], 0)) end,
        'history', (%7$s)) || %8$s as entry
      from (select id, value, n from page where n <= $7 union all
        select id, value, null from (%2$s) as me where not exists (select from page where page.id = $3 and page.n <= $7)) as d
      cross join n
      cross join lateral (%6$s) as o
      cross join lateral (
        select case when o.ranks then 1 + n.total - coalesce(n.upto[width_bucket(o.value, n.values)], 0) end as rank) as place
      left join lateral (
        select 1 + b.total - coalesce(b.upto[width_bucket(e.value, b.values)], 0) as rank from (%5$s) as e, b where e.value > '-infinity') as p on true
    )
    select jsonb_build_object('total', n.total, 'unranked', (select coalesce(sum(c.players), 0) from counted as c where c.value = '-infinity'),
      'rows', coalesce((select jsonb_agg(e.entry order by e.n) from described as e where e.n is not null), '[]'),
      'you', (select e.entry from described as e where e.id = $3),
      'next', (select jsonb_build_object('value', l.value, 'id', l.id) from page as l
        where l.n = $7 and exists (select from page where page.n = $7 + 1)))
    from n$sql$, rows, own, counts, counts_before, row_before, value, history, details)
$$;
revoke all on function private.ranking(text, text, text, text, text, text, text, text) from public;

-- As in 20261123060100.
create or replace function public.rankings(kind text, filters jsonb default '{}', weights jsonb default null, after jsonb default null,
  places integer default 50)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  latest public.rating_runs;
  earlier uuid[];
  -- The run to compare with, as SQL.
  before text := '($2)[2]';
  rated text := 'team_ratings';
  id text := 'r.team_id';
  condition text;
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
  condition := private.ranking_condition(kind, filters);
  if kind = 'players' then
    rated := 'player_ratings';
    id := 's.player_id';
    before := case when weights is null then before else '$1' end;
  end if;
  earlier := array(
    select r.id from public.rating_runs as r
    where r.kind = rankings.kind and r.season is not distinct from latest.season order by r.created_at desc, r.id limit 12);
  history := format($sql$select jsonb_agg(h.value order by h.n desc) from (
      select e.n, %s from unnest($2) with ordinality as e (run, n) join public.%s as h on h.run_id = e.run and h.%s = d.id) as h$sql$,
    case when kind = 'teams' then 'round(100 * h.value) / 100 as value' when weights is null then 'h.value'
      else regexp_replace(private.composite(weights), '\mr\.', 'h.', 'g') end,
    rated, split_part(id, '.', 2));
  execute private.ranking(
    private.ranked_rows(kind, '$1', weights, condition),
    private.ranked_rows(kind, '$1', weights, format('%s and %s = $3', condition, id)),
    private.ranked_counts(kind, '$1', weights, condition),
    private.ranked_counts(kind, before, null, condition),
    private.ranked_rows(kind, before, null, format('%s and %s = d.id', condition, id)),
    private.ranked_value(kind, weights), history,
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

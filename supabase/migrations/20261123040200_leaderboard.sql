-- Leaderboards of measurements and season statistics. Like search they contain public profiles only, whoever asks: nobody under
-- 13, and minors whose profile the guardian, or from 13 on the player, has shown (private.search_people).

create index measurements_leaders_idx on public.measurements (kind, player_id, taken_at desc, created_at desc) include (value, source, verified_at);
create index batting_lines_season_idx on public.batting_lines (season, player_id);
create index pitching_lines_season_idx on public.pitching_lines (season, player_id);

-- The statistics of a season: what they are computed from, the tries that qualify, and the digits that rank.
create function private.season_stat(name text)
returns table (lines text, value text, tries text, lower_is_better boolean, digits integer, least_tries integer)
language sql immutable
set search_path = ''
as $$
  select s.lines, s.value, s.tries, s.lower_is_better, s.digits, s.least_tries
  from (values
    ('avg', 'batting_lines', 'sum(l.h)::numeric / nullif(sum(l.ab), 0)', 'sum(l.pa)', false, 3, 40),
    ('obp', 'batting_lines', 'sum(l.h + l.bb + l.hbp)::numeric / nullif(sum(l.ab + l.bb + l.hbp + l.sf), 0)', 'sum(l.pa)', false, 3, 40),
    ('slg', 'batting_lines', 'sum(l.h + l.doubles + 2 * l.triples + 3 * l.hr)::numeric / nullif(sum(l.ab), 0)', 'sum(l.pa)', false, 3, 40),
    ('ops', 'batting_lines', 'sum(l.h + l.bb + l.hbp)::numeric / nullif(sum(l.ab + l.bb + l.hbp + l.sf), 0)
      + sum(l.h + l.doubles + 2 * l.triples + 3 * l.hr)::numeric / nullif(sum(l.ab), 0)', 'sum(l.pa)', false, 3, 40),
    ('bb_rate', 'batting_lines', '100 * sum(l.bb)::numeric / nullif(sum(l.pa), 0)', 'sum(l.pa)', false, 1, 40),
    ('k_rate', 'batting_lines', '100 * sum(l.so)::numeric / nullif(sum(l.pa), 0)', 'sum(l.pa)', true, 1, 40),
    ('h', 'batting_lines', 'sum(l.h)::numeric', 'sum(l.pa)', false, 0, 0),
    ('hr', 'batting_lines', 'sum(l.hr)::numeric', 'sum(l.pa)', false, 0, 0),
    ('rbi', 'batting_lines', 'sum(l.rbi)::numeric', 'sum(l.pa)', false, 0, 0),
    ('sb', 'batting_lines', 'sum(l.sb)::numeric', 'sum(l.pa)', false, 0, 0),
    ('era', 'pitching_lines', '27 * sum(l.er)::numeric / nullif(sum(l.outs), 0)', 'sum(l.outs)', true, 2, 30),
    ('whip', 'pitching_lines', '3 * sum(l.bb + l.h)::numeric / nullif(sum(l.outs), 0)', 'sum(l.outs)', true, 2, 30),
    ('k9', 'pitching_lines', '27 * sum(l.so)::numeric / nullif(sum(l.outs), 0)', 'sum(l.outs)', false, 1, 30),
    ('bb9', 'pitching_lines', '27 * sum(l.bb)::numeric / nullif(sum(l.outs), 0)', 'sum(l.outs)', true, 1, 30),
    ('so', 'pitching_lines', 'sum(l.so)::numeric', 'sum(l.outs)', false, 0, 0),
    ('w', 'pitching_lines', 'sum(l.w)::numeric', 'sum(l.outs)', false, 0, 0),
    ('sv', 'pitching_lines', 'sum(l.sv)::numeric', 'sum(l.outs)', false, 0, 0)
  ) as s (name, lines, value, tries, lower_is_better, digits, least_tries)
  where s.name = season_stat.name
$$;
revoke all on function private.season_stat(text) from public;

-- The condition on search_people s, and on the birth dates b, of the filters class, position, state and age. Age groups are
-- those of youth leagues, by the age on May 1 of the season: a player changes the group on the same day as everybody else,
-- so that no birthday can be seen.
create function private.leader_condition(filters jsonb, season integer) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  condition text := format('s.role = ''player'' and s.shown_from <= %L::date', private.today());
  part record;
begin
  for part in select * from jsonb_each_text(filters) as f (key, value) where f.value <> '' loop
    condition := condition || ' and ' || case part.key
      when 'class' then format('s.grad_year = %L::integer', part.value)
      when 'position' then format('s.position_group = %L', part.value)
      when 'state' then format('s.state = %L', part.value)
      when 'age' then (
        select format('b.birth_date between %L and %L', g.first, g.last)
        from (values ('14u', make_date(season - 15, 5, 2), 'infinity'), ('16u', make_date(season - 17, 5, 2), make_date(season - 15, 5, 1)),
          ('18u', make_date(season - 19, 5, 2), make_date(season - 17, 5, 1)), ('open', '-infinity', make_date(season - 19, 5, 1))
        ) as g (name, first, last) where g.name = part.value)
    end;
    if condition is null then
      raise exception 'The filter % cannot be read.', part.key using errcode = 'PT400';
    end if;
  end loop;
  return condition;
end
$$;
revoke all on function private.leader_condition(jsonb, integer) from public;

-- The values of a leaderboard as SQL: player, value, tries (null for measurements), source, verified, taken_at. evidence
-- verified: what a coach has verified or a scorebook holds; all: also what players say themselves.
create function private.leader_values(metric text, season integer, evidence text, condition text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  stat record;
begin
  select * into stat from private.season_stat(metric);
  if found then
    -- Season lines are always the players' own word.
    return format($sql$
      select l.player_id, round(%s, %s) as value, %s::integer as tries, 'self' as source, false as verified, null::date as taken_at
      from public.%I as l join private.search_people as s on s.id = l.player_id join public.birth_dates as b on b.user_id = s.id
      where l.season = %s and %L and %s
      group by l.player_id$sql$, stat.value, stat.digits, stat.tries, stat.lines, season, evidence = 'all', condition);
  end if;
  return format($sql$
    select distinct on (l.player_id) l.player_id, l.value, null::integer as tries, l.source,
      l.verified_at is not null as verified, l.taken_at
    from public.measurements as l join private.search_people as s on s.id = l.player_id join public.birth_dates as b on b.user_id = s.id
    where l.kind = %L and (%L or l.verified_at is not null or l.source = 'scorebook') and %s
    order by l.player_id, l.taken_at desc, l.created_at desc$sql$, metric, evidence = 'all', condition);
end
$$;
revoke all on function private.leader_values(text, integer, text, text) from public;

-- A leaderboard. metric: a kind of measurement or a statistic of private.season_stat(). season: null for measurements, and for
-- the last one there is. filters: class, position (a group), state, age (14u, 16u, 18u, open). minimum: the plate appearances or
-- outs that qualify; null for the usual ones. places: how many rows from "skip" on, at most 1,000 rows of all. Returns season,
-- minimum, lower_is_better, qualified and unqualified (numbers of players), unverified (how many more there are with evidence
-- all), average, rows (equal values share a rank; behind the ranked ones the unqualified, with what they need), histogram (least
-- value, width and counts; null below 20 players), and you (the caller's row, if the caller is in it).
create function public.leaderboard(metric text, season integer default null, filters jsonb default '{}',
  evidence text default 'verified', minimum integer default null, skip integer default 0, places integer default 50)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  stat record;
  year integer;
  needed integer;
  condition text;
  hidden bigint := 0;
  board jsonb;
begin
  select s.lines, s.lower_is_better, s.least_tries into stat from private.season_stat(metric) as s;
  if stat.lines is null then
    select null::text as lines, k.lower_is_better, 0 as least_tries into stat
    from public.measurement_kinds as k where k.kind = metric and k.active;
    if not found then
      raise exception 'There is no such statistic.' using errcode = 'PT404';
    end if;
  else
    execute format('select max(l.season) from public.%I as l where l.season <= extract(year from private.today())
      and exists (select from private.search_people as s where s.id = l.player_id)', stat.lines) into year;
  end if;
  year := coalesce(season, year, extract(year from private.today())::integer);
  if evidence not in ('verified', 'all') or places not between 1 and 1000 or skip not between 0 and 1000 or year not between 1950 and 2100 then
    raise exception 'evidence is verified or all; up to 1,000 places are listed.' using errcode = 'PT400';
  end if;
  needed := greatest(0, coalesce(minimum, stat.least_tries));
  condition := private.leader_condition(filters, year);
  if evidence = 'verified' then
    execute format('select count(*) from (%s) as v where v.value is not null', private.leader_values(metric, year, 'all', condition)) into hidden;
  end if;
  execute private.ranked(private.leader_values(metric, year, evidence, condition)) into board
    using stat.lower_is_better, needed, uid, skip, places;
  return board || jsonb_build_object('season', case when stat.lines is not null then year end, 'minimum', needed,
    'lower_is_better', stat.lower_is_better,
    'unverified', greatest(0, hidden - (board ->> 'qualified')::integer - (board ->> 'unqualified')::integer));
end
$$;

-- The query that ranks the values of another. $1: whether lower is better, $2: tries needed, $3: the caller, $4 and $5: the first
-- row and how many.
create function private.ranked(leader_values text) returns text
language sql immutable
set search_path = ''
as $$
  select format($sql$
    with v as materialized (
      select *, coalesce(tries, $2) >= $2 as qualifies, case when $1 then value else -value end as position from (%s) as v where value is not null
    ), n as materialized (
      select count(*) filter (where qualifies) as qualified, count(*) filter (where not qualifies) as unqualified,
        avg(value) filter (where qualifies) as average, min(value) filter (where qualifies) as least,
        max(value) filter (where qualifies) as most
      from v
    ), placed as materialized (
      select v.*, case when qualifies then rank() over w end as rank,
        case when qualifies then count(*) over (w range between current row and current row) end as equal,
        row_number() over (order by not qualifies, position, player_id) as place
      from v window w as (partition by qualifies order by position)
    ), described as (
      select p.*, case when qualifies and n.qualified >= 20
          then least(99, greatest(1, round(100 * (n.qualified - p.rank + 1 - p.equal + 0.5 * p.equal) / n.qualified))) end as percentile
      from placed as p, n
      where (p.place > $4 and p.place <= least($4 + $5, 1000)) or p.player_id = $3
    ), entries as (
      select d.place, d.player_id, jsonb_build_object('rank', d.rank, 'id', d.player_id, 'name', who.full_name,
        'positions', w.positions, 'class', w.grad_year, 'state', w.state, 'team', private.public_team(d.player_id),
        'value', d.value, 'tries', d.tries, 'needs', case when not d.qualifies then $2 - d.tries end, 'percentile', d.percentile,
        'source', d.source, 'verified', d.verified, 'taken_at', d.taken_at) as entry
      from described as d join public.profiles as who on who.id = d.player_id join public.players as w on w.user_id = d.player_id
    ), bars as (
      select least(19, floor(20 * (v.value - n.least) / nullif(n.most - n.least, 0)))::integer as bar, count(*) as players
      from v, n where v.qualifies and n.qualified >= 20 and n.most > n.least group by 1
    )
    select jsonb_build_object('qualified', n.qualified, 'unqualified', n.unqualified, 'average', round(n.average, 3),
      'rows', coalesce((select jsonb_agg(e.entry order by e.place) from entries as e
        where e.place > $4 and e.place <= least($4 + $5, 1000)), '[]'),
      'you', (select e.entry from entries as e where e.player_id = $3),
      'histogram', case when n.qualified >= 20 and n.most > n.least then jsonb_build_object('least', n.least, 'width', (n.most - n.least) / 20,
        'counts', (select jsonb_agg(coalesce(b.players, 0) order by g) from generate_series(0, 19) as g left join bars as b on b.bar = g)) end)
    from n
  $sql$, leader_values)
$$;
revoke all on function private.ranked(text) from public;
revoke all on function public.leaderboard(text, integer, jsonb, text, integer, integer, integer) from public, anon, authenticated;
grant execute on function public.leaderboard(text, integer, jsonb, text, integer, integer, integer) to authenticated;

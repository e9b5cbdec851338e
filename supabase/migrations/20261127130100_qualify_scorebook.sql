-- Leaderboards with scorebook seasons: which tries qualify, and how each row's number came about.

-- As in 20261124020300, with the tries of the number that is shown.
create or replace function private.board_entry(standing private.standings, checked boolean, digits integer) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('id', w.user_id, 'name', who.full_name, 'positions', w.positions, 'class', w.grad_year, 'state', w.state,
    'team', private.public_team(w.user_id), 'tries', case when checked then standing.checked_tries else standing.tries end,
    'value', round((case when checked then standing.checked_value else standing.value end)::numeric, digits),
    'source', case when checked then standing.checked_source else standing.source end,
    'verified', case when checked then standing.checked_verified else standing.verified end,
    'taken_at', case when checked then standing.checked_taken_at else standing.taken_at end)
  from public.players as w join public.profiles as who on who.id = w.user_id
  where w.user_id = standing.player_id
$$;

-- A rate after each of the last twelve scorebook games of a season, the oldest first, of each of these players.
create function private.rate_trails(metric text, season integer, people uuid[])
returns table (player_id uuid, trail double precision[])
language sql stable
set search_path = ''
as $$
  with played as materialized (
    select i.user_id, i.athlete_id, g.id, row_number() over (order by g.played_on, g.number, g.id) as turn
    from public.athlete_identities as i join public.lineups as l on l.athlete_id = i.athlete_id
    join public.games as g on g.id = l.game_id and g.status = 'final' and g.is_public
    join public.seasons as s on s.id = g.season_id and s.year = rate_trails.season
    join public.teams as t on t.id = case l.side when 0 then g.visitor_team_id else g.home_team_id end and t.vetted
    where i.user_id = any (people)
  ), batting as (
    select g.user_id, g.turn, sum(b.pa) over w as pa, sum(b.ab) over w as ab, sum(b.h) over w as h, sum(b.bb) over w as bb, sum(b.so) over w as so,
      sum(b.hbp) over w as hbp, sum(b.sf) over w as sf, sum(b.h + b.doubles + 2 * b.triples + 3 * b.hr) over w as bases
    from played as g join public.player_game_batting as b on b.game_id = g.id and b.athlete_id = g.athlete_id
    where metric in ('avg', 'obp', 'slg', 'ops', 'bb_rate', 'k_rate')
    window w as (partition by g.user_id order by g.turn)
  ), pitching as (
    select g.user_id, g.turn, sum(p.outs) over w as outs, sum(p.er) over w as er, sum(p.h) over w as h, sum(p.bb) over w as bb, sum(p.so) over w as so
    from played as g join public.player_game_pitching as p on p.game_id = g.id and p.athlete_id = g.athlete_id
    where metric in ('era', 'whip', 'k9', 'bb9')
    window w as (partition by g.user_id order by g.turn)
  ), points as (
    select b.user_id, b.turn, case metric
      when 'avg' then b.h::numeric / nullif(b.ab, 0)
      when 'obp' then (b.h + b.bb + b.hbp)::numeric / nullif(b.ab + b.bb + b.hbp + b.sf, 0)
      when 'slg' then b.bases::numeric / nullif(b.ab, 0)
      when 'ops' then (b.h + b.bb + b.hbp)::numeric / nullif(b.ab + b.bb + b.hbp + b.sf, 0) + b.bases::numeric / nullif(b.ab, 0)
      when 'bb_rate' then 100 * b.bb::numeric / nullif(b.pa, 0)
      when 'k_rate' then 100 * b.so::numeric / nullif(b.pa, 0) end as value
    from batting as b
    union all
    select p.user_id, p.turn, case metric
      when 'era' then 27 * p.er::numeric / nullif(p.outs, 0) when 'whip' then 3 * (p.bb + p.h)::numeric / nullif(p.outs, 0)
      when 'k9' then 27 * p.so::numeric / nullif(p.outs, 0) when 'bb9' then 27 * p.bb::numeric / nullif(p.outs, 0) end
    from pitching as p
  ), last as (
    select p.*, row_number() over (partition by p.user_id order by p.turn desc) as place from points as p where p.value is not null
  )
  select l.user_id, array_agg(round(l.value, 3)::double precision order by l.turn) from last as l where l.place <= 12 group by l.user_id
$$;
revoke all on function private.rate_trails(text, integer, uuid[]) from public;

-- The last twelve values up to each of these players' standing, the oldest first: measurements of the kind (season 0), or the
-- season's rate after each game. Not fewer than five, which show no direction.
create function private.board_trails(metric text, season integer, people uuid[], checked boolean)
returns table (player_id uuid, trail double precision[])
language sql stable
set search_path = ''
as $$
  select t.player_id, t.trail
  from (
    select m.player_id, array_agg(m.value::double precision order by m.taken_at, m.created_at)
    from unnest(people) as p (id), lateral (
      select m.* from public.measurements as m
      where season = 0 and m.player_id = p.id and m.kind = board_trails.metric and (not checked or m.verified_at is not null or m.source = 'scorebook')
      order by m.taken_at desc, m.created_at desc limit 12) as m
    group by m.player_id
    union all
    select r.player_id, r.trail from private.rate_trails(metric, season, people) as r
    where season > 0 and exists (
      select from private.standings as s
      where (s.metric, s.season, s.player_id) = (board_trails.metric, board_trails.season, r.player_id)
        and 'scorebook' = case when checked then s.checked_source else s.source end)) as t (player_id, trail)
  where cardinality(t.trail) >= 5
$$;
revoke all on function private.board_trails(text, integer, uuid[], boolean) from public;

-- As in 20261124020300, with the tries of the evidence that counts, and with trails on screens. $1: the metric, $2: the season (0 for measurements), $3: tries needed to qualify, $4: the caller, $5 to
-- $7: of the previous page's last row, whether it qualifies, its value and its id, $8: the number of rows, $9: digits of the
-- value. checked: whether only verified numbers rank. lower: whether the lowest value is the best.
create or replace function private.board(checked boolean, lower boolean, condition text) returns text
language sql immutable
set search_path = ''
as $$
  select format($sql$
    with s as not materialized (
      select s.player_id, s.%1$s as value, coalesce(s.%6$s, $3) >= $3 as qualifies
      from private.standings as s where s.metric = $1 and s.season = $2 and s.%1$s is not null and %2$s
    ), counted as materialized (
      -- The number of players for each value; a null value is a number that is not verified. Only this part reads all rows.
      select s.%1$s as value, coalesce(s.%6$s, $3) >= $3 as qualifies, count(*) as players
      from private.standings as s where s.metric = $1 and s.season = $2 and %2$s group by 1, 2
    ), n as materialized (
      select coalesce(sum(c.players) filter (where c.qualifies), 0)::integer as qualified,
        coalesce(sum(c.players) filter (where not c.qualifies), 0)::integer as unqualified,
        sum(c.value * c.players) filter (where c.qualifies) as total, min(c.value) filter (where c.qualifies) as least,
        max(c.value) filter (where c.qualifies) as most
      from counted as c where c.value is not null
    ), ladder as materialized (
      select c.value, c.players, sum(c.players) over (order by %3$s c.value) - c.players + 1 as rank
      from counted as c where c.qualifies and c.value is not null
    ), bars as (
      select least(19, floor(20 * (l.value - n.least) / nullif(n.most - n.least, 0)))::integer as bar, sum(l.players) as players
      from ladder as l cross join n group by 1
    ), listed as materialized (
      -- The first thousand players who qualify, then those who do not.
      select f.*, row_number() over (order by not f.qualifies, f.turned, f.player_id) as place
      from (
        (select s.*, %3$s s.value as turned from s where s.qualifies order by s.value %4$s, s.player_id limit 1000)
        union all
        (select s.*, %3$s s.value from s where $3 > 0 and not s.qualifies order by s.value %4$s, s.player_id limit 1000)) as f
    ), page as materialized (
      select l.*, row_number() over (order by l.place) as turn from listed as l
      where l.place <= 1000 and ($5 is null or (not l.qualifies, l.turned, l.player_id) > (not $5, %3$s $6, $7))
      order by l.place limit $8 + 1
    ), described as (
      select p.player_id, p.value, p.qualifies, p.turn from page as p where p.turn <= $8
      union all
      select s.player_id, s.value, s.qualifies, null from s
      where s.player_id = $4 and not exists (select from page as p where p.player_id = $4 and p.turn <= $8)
    ), trails as materialized (
      -- Files have up to 1,000 rows and no trails.
      select t.* from private.board_trails($1, $2, array(select d.player_id from described as d), %5$L) as t where $8 <= 100
    ), entries as (
      select d.turn, d.player_id, private.board_entry(s, %5$L, $9) || jsonb_build_object('rank', l.rank,
        'percentile', case when n.qualified >= 20
          then least(99, greatest(1, round(100 * (n.qualified - l.rank + 1 - 0.5 * l.players) / n.qualified))) end,
        'needs', case when not d.qualifies then $3 - s.%6$s end,
        'trail', trails.trail) as entry
      from described as d cross join n
      join private.standings as s on s.metric = $1 and s.season = $2 and s.player_id = d.player_id
      left join ladder as l on d.qualifies and l.value = d.value
      left join trails on trails.player_id = d.player_id
    )
    select jsonb_build_object('qualified', n.qualified, 'unqualified', n.unqualified,
      'unverified', (select coalesce(sum(c.players), 0) from counted as c where c.value is null),
      'average', round((n.total / nullif(n.qualified, 0))::numeric, 3),
      'rows', coalesce((select jsonb_agg(e.entry order by e.turn) from entries as e where e.turn is not null), '[]'),
      'you', (select e.entry from entries as e where e.player_id = $4),
      'next', (select jsonb_build_object('qualifies', l.qualifies, 'value', l.value, 'id', l.player_id) from page as l
        where l.turn = $8 and exists (select from page where turn = $8 + 1)),
      'histogram', case when n.qualified >= 20 and n.most > n.least then jsonb_build_object('least', n.least, 'width', (n.most - n.least) / 20,
        'counts', (select jsonb_agg(coalesce(b.players, 0) order by g) from generate_series(0, 19) as g left join bars as b on b.bar = g)) end)
    from n
  $sql$, case when checked then 'checked_value' else 'value' end, condition,
    case when lower then '' else '-' end, case when lower then '' else 'desc' end, checked, case when checked then 'checked_tries' else 'tries' end)
$$;

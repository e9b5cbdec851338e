-- Rankings of earlier seasons, and teams with too few games in a group of their own.

-- As in 20261124020100. A run states how many games a team needs for a rank (least_games). A team with fewer has the value -infinity,
-- like a player with too few measurements.
create or replace function private.ranked_rows(kind text, run text, weights jsonb, condition text) returns text
language sql stable
set search_path = ''
as $$
  select case kind
    when 'teams' then format($sql$
      select r.team_id as id, case when r.wins + r.losses + r.ties >= coalesce((u.params ->> 'least_games')::integer, 0)
        then round(100 * r.value) / 100 else '-infinity' end as value
      from public.team_ratings as r join public.rating_runs as u on u.id = r.run_id join public.teams as t on t.id = r.team_id
      where r.run_id = %s and t.active and t.vetted%s$sql$, run, condition)
    else format($sql$
      select s.player_id as id, %s as value from private.ranked_players as s where s.run_id = %s and s.shown_from <= %L::date%s$sql$,
      case when weights is null then 's.value' else private.quick_composite(weights) end, run, private.today(), condition) end
$$;

create or replace function private.ranked_value(kind text, weights jsonb) returns text
language sql stable
set search_path = ''
as $$
  select case
    when kind = 'teams' then 'select round(100 * r.value) / 100 as value, round(100 * r.sd) / 100 as sd, d.value > ''-infinity'' as ranks
      from public.team_ratings as r where r.run_id = $1 and r.team_id = d.id'
    when weights is null then 'select r.value, r.sd, d.value > ''-infinity'' as ranks
      from public.player_ratings as r where r.run_id = $1 and r.player_id = d.id'
    else format('select coalesce(nullif(d.value, ''-infinity''), c.value) as value, c.sd, d.value > ''-infinity'' as ranks
      from (select %s from public.player_ratings as r where r.run_id = $1 and r.player_id = d.id) as c', private.composite(weights)) end
$$;

-- A page of the last run, or of a season's last one. kind: teams or players. filters: state, class, position (a group) for players,
-- state and league for teams. weights: {"hitter": […], "pitcher": […]}, null for the run's. after: next of the page before. season:
-- for teams; null for the latest. Returns run, total (how many are ranked), unranked (how many players have less than half of the
-- weights measured, how many teams too few games), pools (teams: how many groups without a game between them), rows, you, next,
-- seasons (teams: those with a run, the latest first), and provisional (teams: on the first page, up to 100 with too few games). A
-- row's previous rank is that of the run before, or with weights of the caller that of the run's weights; best and worst are the
-- places that nine of ten runs with the same doubt would give.
drop function public.rankings(text, jsonb, jsonb, jsonb, integer);
create function public.rankings(kind text, filters jsonb default '{}', weights jsonb default null, after jsonb default null,
  places integer default 50, season integer default null)
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
  seasons jsonb := '[]';
  provisional jsonb := '[]';
begin
  if kind not in ('teams', 'players') or places not between 1 and 200 then
    raise exception 'kind is teams or players; up to 200 places are listed.' using errcode = 'PT400';
  end if;
  select r.* into latest from public.rating_runs as r
  where r.kind = rankings.kind and (rankings.kind = 'players' or rankings.season is null or r.season = rankings.season)
  order by r.season desc nulls last, r.created_at desc limit 1;
  if kind = 'teams' then
    select coalesce(jsonb_agg(distinct r.season order by r.season desc), '[]') into seasons
    from public.rating_runs as r where r.kind = 'teams' and r.season is not null;
  end if;
  if latest.id is null then
    return jsonb_build_object('run', null, 'total', 0, 'unranked', 0, 'pools', 0, 'rows', '[]'::jsonb, 'you', null, 'next', null,
      'seasons', seasons, 'provisional', '[]'::jsonb);
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
  if kind = 'teams' and after is null then
    execute format($sql$
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'rank', null, 'previous', null, 'value', p.value, 'sd', p.sd, 'best', null,
        'worst', null, 'history', jsonb_build_array(p.value)) || private.rated_team($1, p.id) order by p.value desc, p.id), '[]')
      from (select d.id, v.value, v.sd from (%s) as d cross join lateral (%s) as v where d.value = '-infinity'
        order by v.value desc, d.id limit 100) as p$sql$, private.ranked_rows(kind, '$1', null, condition), private.ranked_value(kind, null))
    into provisional using latest.id;
  end if;
  return board || jsonb_build_object('seasons', seasons, 'provisional', provisional,
    'run', jsonb_build_object('id', latest.id, 'kind', latest.kind, 'season', latest.season, 'method', latest.method, 'params', latest.params,
      'data_hash', latest.data_hash, 'created_at', latest.created_at),
    'pools', case when kind = 'teams' then (
      select count(distinct r.pool) from public.team_ratings as r join public.teams as t on t.id = r.team_id
      where r.run_id = latest.id and t.active and t.vetted and (coalesce(filters ->> 'league', '') = '' or t.league_id = (filters ->> 'league')::uuid)) end);
end
$$;
revoke all on function public.rankings(text, jsonb, jsonb, jsonb, integer, integer) from public, anon, authenticated;
grant execute on function public.rankings(text, jsonb, jsonb, jsonb, integer, integer) to authenticated;

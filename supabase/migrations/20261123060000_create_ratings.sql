-- Ratings of teams and players. An admin starts a run; the function `rank` (crates/dugout/src/rank) computes it from what
-- private.begin_rating() tells and saves it with private.save_rating(). Rankings are read through public.rankings(), which
-- leaves out everybody who is not public at that moment.

create table public.rating_runs (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('teams', 'players')),
  -- The season of a run of teams; players are rated by what the last twelve months and the latest measurements show.
  season integer check (season between 1850 and 2100),
  method text not null check (char_length(method) between 1 and 600),
  params jsonb not null check (jsonb_typeof(params) = 'object'),
  -- SHA-256 of everything that the run was computed from.
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  constraint rating_runs_of_teams_have_a_season check ((kind = 'teams') = (season is not null))
);
create index rating_runs_latest_idx on public.rating_runs (kind, season, created_at desc);
create index rating_runs_created_by_idx on public.rating_runs (created_by);

create table public.team_ratings (
  run_id uuid not null references public.rating_runs (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  -- Points, 1500 is the average: Bradley-Terry with its standard deviation, and Elo.
  value double precision not null,
  sd double precision not null check (sd >= 0),
  elo double precision not null,
  -- Null where the opponents have played nobody else.
  rpi double precision,
  wins integer not null,
  losses integer not null,
  ties integer not null,
  -- Equal for teams that games connect: only these can be compared.
  pool integer not null,
  -- By opponent: what these games added to the value.
  why jsonb not null check (jsonb_typeof(why) = 'array'),
  primary key (run_id, team_id)
);
create index team_ratings_team_id_idx on public.team_ratings (team_id);

create table public.player_ratings (
  run_id uuid not null references public.rating_runs (id) on delete cascade,
  player_id uuid not null references public.players (user_id) on delete cascade,
  pitcher boolean not null,
  -- Five parts each, in the order of the run's params: the standard score (0 where not measured), its doubt in deviations, and
  -- how much it counts (1; a half when it is older than twelve months; 0 where not measured).
  scores double precision[] not null check (cardinality(scores) = 5),
  doubts double precision[] not null check (cardinality(doubts) = 5),
  counts double precision[] not null check (cardinality(counts) = 5),
  -- What stands behind each part, or null.
  parts jsonb not null check (jsonb_typeof(parts) = 'array'),
  -- The composite by the run's weights (private.composite), null where nothing was measured that weighs; with its standard
  -- deviation, and whether there is enough to rank by.
  value double precision,
  sd double precision not null,
  ranks boolean not null,
  -- Lists of all players read the index alone.
  primary key (run_id, player_id) include (value, sd, ranks)
);
create index player_ratings_player_id_idx on public.player_ratings (player_id);

alter table public.rating_runs enable row level security;
create policy "users read" on public.rating_runs for select to authenticated using ((select auth.uid()) is not null);
alter table public.team_ratings enable row level security;
create policy "users read those of teams they see" on public.team_ratings
  for select to authenticated using (exists (select from public.teams as t where t.id = team_id));
-- Others read only through public.rankings().
alter table public.player_ratings enable row level security;
create policy "owners and guardians read" on public.player_ratings
  for select to authenticated
  using (player_id = (select auth.uid()) or player_id in (select private.wards()));

do $policies$
declare
  about text;
begin
  foreach about in array array['rating_runs', 'team_ratings', 'player_ratings'] loop
    execute format($sql$
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      create policy "only the app itself" on public.%1$I
        as restrictive for all to authenticated
        using ((select private.is_own_app())) with check ((select private.is_own_app()));
      revoke all on table public.%1$I from anon, authenticated;
    $sql$, about);
  end loop;
end
$policies$;
grant select on table public.team_ratings, public.player_ratings to authenticated;
grant select (id, kind, season, method, params, data_hash, created_at) on table public.rating_runs to authenticated;

-- An admin, or the operator's key.
create function private.require_rater() returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if coalesce(auth.role(), '') <> 'service_role' then
    perform private.admin_caller();
  end if;
end
$$;
revoke all on function private.require_rater() from public;

-- The team that a game's name means: the one whose page it is, or a team of the same league with that name.
create function private.team_of_name(name text, league uuid) returns uuid
language sql stable
set search_path = ''
as $$
  select t.id from public.teams as t
  where t.league_id = team_of_name.league and t.active and t.vetted and private.folded(btrim(t.name)) = private.folded(btrim(team_of_name.name))
  order by t.created_at, t.id limit 1
$$;
revoke all on function private.team_of_name(text, uuid) from public;

-- Final public games of a season between two teams with vetted names, in order. Both teams may have kept a book of the same game:
-- the first one entered counts.
create function private.rated_games(season integer)
returns table (home uuid, visitor uuid, home_runs integer, visitor_runs integer)
language sql stable
set search_path = ''
as $$
  with known as (
    select g.id, g.played_on, g.number, g.created_at, g.home_runs, g.visitor_runs,
      coalesce(g.home_team_id, private.team_of_name(g.home_name, s.league_id)) as home,
      coalesce(g.visitor_team_id, private.team_of_name(g.visitor_name, s.league_id)) as visitor
    from public.games as g join public.seasons as s on s.id = g.season_id
    where s.year = rated_games.season and g.status = 'final' and g.is_public
  ), once as (
    select distinct on (k.played_on, k.number, least(k.home, k.visitor), greatest(k.home, k.visitor)) k.*
    from known as k
    join public.teams as h on h.id = k.home and h.active and h.vetted
    join public.teams as v on v.id = k.visitor and v.active and v.vetted
    where k.home <> k.visitor
    order by k.played_on, k.number, least(k.home, k.visitor), greatest(k.home, k.visitor), k.created_at, k.id
  )
  select o.home, o.visitor, o.home_runs::integer, o.visitor_runs::integer from once as o order by o.played_on, o.number, o.id
$$;
revoke all on function private.rated_games(integer) from public;

-- What players are rated by. Only who is public now: nobody under 13, and minors whose profile the guardian, or from 13 on the
-- player, has shown. The numbers are verified ones, and those of the scorebook in public games of the last twelve months.
create function private.rated_players() returns jsonb
language sql stable
set search_path = ''
as $$
  with rated as materialized (
    select s.id, s.position_group, s.grad_year, s.height_in from private.search_people as s
    where s.role = 'player' and s.shown_from <= private.today() and s.position_group is not null
  ), measured as (
    select distinct on (m.player_id, m.kind) m.player_id, m.kind, m.value, k.lower_is_better, m.source, m.taken_at
    from public.measurements as m join rated as r on r.id = m.player_id
    join public.measurement_kinds as k on k.kind = m.kind
    where (m.verified_at is not null or m.source = 'scorebook') and m.kind in ('sixty_yard_dash', 'exit_velocity_max', 'infield_velocity',
      'outfield_velocity', 'pop_time', 'fastball_max', 'spin_rate')
    order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  ), games as materialized (
    select g.id, coalesce(g.visitor_team_id::text, lower(g.visitor_name)) as visitor, coalesce(g.home_team_id::text, lower(g.home_name)) as home
    from public.games as g
    where g.status = 'final' and g.is_public and g.played_on > private.today() - interval '12 months'
  )
  select jsonb_build_object(
    'players', (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'position', r.position_group, 'class', r.grad_year, 'height', r.height_in,
        'numbers', coalesce((
          select jsonb_agg(jsonb_build_object('metric', m.kind, 'value', m.value, 'lower_is_better', m.lower_is_better,
            'source', m.source, 'taken_at', m.taken_at, 'stale', m.taken_at < private.today() - interval '12 months') order by m.kind)
          from measured as m where m.player_id = r.id), '[]')) order by r.id), '[]')
      from rated as r),
    'batting', (
      select coalesce(jsonb_agg(jsonb_build_array(r.id, case b.side when 0 then g.home else g.visitor end, b.ab, b.bb - b.ibb, b.hbp,
        b.sf, b.h, b.doubles, b.triples, b.hr) order by g.id, r.id), '[]')
      from public.player_game_batting as b join games as g on g.id = b.game_id
      join public.athlete_identities as i on i.athlete_id = b.athlete_id join rated as r on r.id = i.user_id
      where r.position_group <> 'P'),
    'pitching', (
      select coalesce(jsonb_agg(jsonb_build_array(r.id, case p.side when 0 then g.home else g.visitor end, p.bfp, p.so, p.bb,
        p.pitches, p.strikes) order by g.id, r.id), '[]')
      from public.player_game_pitching as p join games as g on g.id = p.game_id
      join public.athlete_identities as i on i.athlete_id = p.athlete_id join rated as r on r.id = i.user_id
      where r.position_group = 'P'))
$$;
revoke all on function private.rated_players() from public;

-- What a run is computed from, and its hash.
create function private.begin_rating(kind text, season integer) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  inputs jsonb;
begin
  perform private.require_rater();
  if kind = 'players' then
    inputs := private.rated_players();
  else
    select jsonb_build_object('season', begin_rating.season, 'games', coalesce(jsonb_agg(jsonb_build_object('home', g.home,
      'visitor', g.visitor, 'home_runs', g.home_runs, 'visitor_runs', g.visitor_runs)), '[]'))
    into inputs from private.rated_games(begin_rating.season) as g;
  end if;
  return inputs || jsonb_build_object('hash', encode(sha256(convert_to(inputs::text, 'UTF8')), 'hex'));
end
$$;
revoke all on function private.begin_rating(text, integer) from public;

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
-- were measured. sd: the doubts of all parts, also of those not measured. ranks: whether half of the weights were measured.
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
  select format('round((50 + 10 * case when r.pitcher then (%s) / nullif(%s, 0) else (%s) / nullif(%s, 0) end)::numeric, 2)::double precision as value,
      round((10 * case when r.pitcher then sqrt(%s) / %s else sqrt(%s) / %s end)::numeric, 2)::double precision as sd,
      case when r.pitcher then (%s) / %s::double precision else (%s) / %s::double precision end >= 0.5 as ranks',
    p.scored, p.counted, h.scored, h.counted, p.doubted, p.total, h.doubted, h.total, p.measured, p.total, h.measured, h.total)
  from sums as p, sums as h where p.pitcher and not h.pitcher
$$;
revoke all on function private.composite(jsonb) from public;

-- Saves a run: {kind, season, method, params, hash, ratings}. Returns its id.
create function private.save_rating(run jsonb) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  saved uuid;
begin
  perform private.require_rater();
  -- An empty run would take the place of the last list.
  if jsonb_array_length(run -> 'ratings') = 0 then
    raise exception 'There is nothing to rate yet.' using errcode = 'PT409',
      hint = 'Teams need public final games of the season, players a position and verified numbers of twenty.';
  end if;
  insert into public.rating_runs (kind, season, method, params, data_hash)
  values (run ->> 'kind', (run ->> 'season')::integer, run ->> 'method', run -> 'params', run ->> 'hash')
  returning id into saved;
  if run ->> 'kind' = 'teams' then
    insert into public.team_ratings
    select saved, r.* from jsonb_to_recordset(run -> 'ratings') as r (id uuid, value double precision, sd double precision,
      elo double precision, rpi double precision, wins integer, losses integer, ties integer, pool integer, why jsonb);
  else
    execute format($sql$
      insert into public.player_ratings
      select $1, r.*, %s from jsonb_to_recordset($2) as r (id uuid, pitcher boolean, scores double precision[],
        doubts double precision[], counts double precision[], parts jsonb)$sql$, private.composite(run #> '{params,weights}'))
    using saved, run -> 'ratings';
  end if;
  perform private.audit('rating_run', saved::text, null, jsonb_build_object('kind', run ->> 'kind', 'season', run ->> 'season'));
  return saved;
end
$$;
revoke all on function private.save_rating(jsonb) from public;
grant execute on function private.begin_rating(text, integer), private.save_rating(jsonb) to authenticated, service_role;

insert into private.exported (name, owner) values ('player_ratings', 'player_id');

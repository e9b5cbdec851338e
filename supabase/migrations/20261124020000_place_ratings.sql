-- Fast rankings of players. The columns that ranks and filters need are kept in small rows for the last two runs, with a count of
-- players for each value. Players under 14 are no longer rated, because the composite would compare them with older players.

-- Whether a player is compared with all ages in a season: at 14 or older on January 1 of that year. The same day for all players,
-- so that a list does not reveal birthdays.
create function private.compares(birth_date date, season integer) returns boolean
language sql immutable
set search_path = ''
as $$ select compares.birth_date <= make_date(compares.season - 14, 1, 1) $$;
revoke all on function private.compares(date, integer) from public;

-- The players of the last two runs who are shown in lists, or will be from shown_from on.
create table private.ranked_players (
  run_id uuid not null references public.rating_runs (id) on delete cascade,
  player_id uuid not null references public.players (user_id) on delete cascade,
  -- The composite with the run's weights; -infinity if too few parts are measured to rank.
  value double precision not null,
  pitcher boolean not null,
  -- Each part before weighting (count times score). `counts` tells which parts count, as a number in base 3 with the first part
  -- as lowest digit: 0 not measured, 1 half, 2 full.
  part1 double precision not null,
  part2 double precision not null,
  part3 double precision not null,
  part4 double precision not null,
  part5 double precision not null,
  counts smallint not null,
  -- From private.search_people.
  shown_from date not null,
  grad_year integer,
  position_group text,
  state text,
  -- Whether private.rating_counts includes the row. Rows with a later shown_from are not counted.
  counted boolean not null,
  primary key (run_id, player_id)
);
create index ranked_players_order_idx on private.ranked_players (run_id, value desc, player_id)
  include (shown_from, grad_year, position_group, state);
create index ranked_players_group_idx on private.ranked_players (run_id, position_group, grad_year, state) include (value, shown_from);
create index ranked_players_player_id_idx on private.ranked_players (player_id);
create index ranked_players_later_idx on private.ranked_players (run_id) where not counted;

-- The number of players of a run with each value.
create table private.rating_counts (
  run_id uuid not null references public.rating_runs (id) on delete cascade,
  value double precision not null,
  players integer not null,
  primary key (run_id, value)
);

-- Security definer, because the caller who deletes a run has no rights on private.rating_counts. Runs that are being deleted are
-- skipped: the foreign key deletes their counts.
create function private.count_ratings() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  change constant text := case tg_op when 'INSERT' then '1' else '-1' end;
begin
  -- Updates in key order, so that two transactions cannot deadlock.
  execute format($sql$
    insert into private.rating_counts as c (run_id, value, players)
    select r.run_id, r.value, %s * count(*) from changed as r
    where r.counted and exists (select from public.rating_runs as u where u.id = r.run_id) group by 1, 2 order by 1, 2
    on conflict (run_id, value) do update set players = c.players + excluded.players$sql$, change);
  return null;
end
$$;
revoke all on function private.count_ratings() from public;
create trigger count_new after insert on private.ranked_players
  referencing new table as changed for each statement execute function private.count_ratings();
create trigger count_gone after delete on private.ranked_players
  referencing old table as changed for each statement execute function private.count_ratings();

create function private.last_ratings() returns setof uuid
language sql stable
set search_path = ''
as $$ select r.id from public.rating_runs as r where r.kind = 'players' order by r.created_at desc, r.id limit 2 $$;
revoke all on function private.last_ratings() from public;

-- Rewrites the rows of these people, or of all people for null.
create function private.place_players(people uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Serializes with transactions that hide a player or change a birth date: they either have committed, or wait for this one and
  -- then see its rows.
  perform from private.search_people as s where people is null or s.id = any (people) order by s.id for no key update;
  if people is null then
    delete from private.ranked_players;
    delete from private.rating_counts;
  else
    delete from private.ranked_players as r where r.player_id = any (people);
  end if;
  insert into private.ranked_players
  select r.run_id, r.player_id, case when r.ranks then r.value else '-infinity' end, r.pitcher, r.counts[1] * r.scores[1], r.counts[2] * r.scores[2],
    r.counts[3] * r.scores[3], r.counts[4] * r.scores[4], r.counts[5] * r.scores[5],
    (2 * (r.counts[1] + 3 * r.counts[2] + 9 * r.counts[3] + 27 * r.counts[4] + 81 * r.counts[5]))::smallint,
    s.shown_from, s.grad_year, s.position_group, s.state, s.shown_from <= private.today()
  from public.player_ratings as r
  join private.search_people as s on s.id = r.player_id and s.role = 'player'
  join public.birth_dates as b on b.user_id = r.player_id
  where (people is null or r.player_id = any (people)) and r.run_id in (select private.last_ratings()) and private.compares(b.birth_date, extract(year from private.today())::integer);
end
$$;
revoke all on function private.place_players(uuid[]) from public;

-- Calls the function named by the first argument with the ids of the players whose rows a statement changed. The second argument
-- is the column of these ids, or 'changed' for updates of search_people, of which only changes to filter columns count.
create function private.follow_people() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  people uuid[];
begin
  if tg_argv[1] = 'changed' then
    select array_agg(n.id) into people from after as n join before as o on o.id = n.id
    where (n.role, n.shown_from, n.grad_year, n.position_group, n.state) is distinct from (o.role, o.shown_from, o.grad_year, o.position_group, o.state);
  else
    execute format('select array_agg(distinct %I) from changed', tg_argv[1]) into people;
  end if;
  if people is not null then
    execute format('select private.%I($1)', tg_argv[0]) using people;
  end if;
  return null;
end
$$;
revoke all on function private.follow_people() from public;
create trigger ranked_new after insert on private.search_people
  referencing new table as changed for each statement execute function private.follow_people('place_players', 'id');
create trigger ranked_gone after delete on private.search_people
  referencing old table as changed for each statement execute function private.follow_people('place_players', 'id');
create trigger ranked_changed after update on private.search_people
  referencing old table as before new table as after for each statement execute function private.follow_people('place_players', 'changed');
create trigger ranked_corrected after update on public.birth_dates
  referencing new table as changed for each statement execute function private.follow_people('place_players', 'user_id');
create trigger ranked_unknown after delete on public.birth_dates
  referencing old table as changed for each statement execute function private.follow_people('place_players', 'user_id');

-- As in 20261123060000, but without players under 14.
create or replace function private.rated_players() returns jsonb
language sql stable
set search_path = ''
as $$
  with rated as materialized (
    select s.id, s.position_group, s.grad_year, s.height_in from private.search_people as s
    join public.birth_dates as b on b.user_id = s.id
    where s.role = 'player' and s.shown_from <= private.today() and s.position_group is not null
      and private.compares(b.birth_date, extract(year from private.today())::integer)
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

-- As in 20261123060000, but also fills private.ranked_players.
create or replace function private.save_rating(run jsonb) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  saved uuid;
begin
  perform private.require_rater();
  -- An empty run would replace the current list.
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
    perform private.place_players(null);
  end if;
  perform private.audit('rating_run', saved::text, null, jsonb_build_object('kind', run ->> 'kind', 'season', run ->> 'season'));
  return saved;
end
$$;

select private.place_players(null);

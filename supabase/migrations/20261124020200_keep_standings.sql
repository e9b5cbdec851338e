-- The values that leaderboards rank, in one row for each public player, statistic and season, so that a list is an index range
-- scan. Before, each list was computed from the measurements and season lines of all players.

create table private.standings (
  -- A kind of measurement (season 0) or a statistic of private.season_stat().
  metric text not null,
  season integer not null,
  player_id uuid not null references public.players (user_id) on delete cascade,
  -- The newest number, and the newest one that is verified or from a scorebook. Statistics are rounded, because equal values
  -- share a rank.
  value double precision not null,
  tries integer,
  source text not null,
  verified boolean not null,
  taken_at date,
  checked_value double precision,
  checked_source text,
  checked_verified boolean,
  checked_taken_at date,
  -- From private.search_people and public.birth_dates.
  shown_from date not null,
  grad_year integer,
  position_group text,
  state text,
  born date not null,
  primary key (metric, season, player_id)
);
create index standings_order_idx on private.standings (metric, season, value, player_id)
  include (tries, checked_value, shown_from, grad_year, position_group, state, born);
create index standings_checked_order_idx on private.standings (metric, season, checked_value, player_id)
  include (tries, shown_from, grad_year, position_group, state, born) where checked_value is not null;
create index standings_player_id_idx on private.standings (player_id);

-- The season statistics of these people, rounded as in private.season_stat().
create function private.season_values(people uuid[])
returns table (metric text, season integer, player_id uuid, value double precision, tries integer)
language sql stable
set search_path = ''
as $$
  with batting as (
    select l.player_id, l.season, sum(l.pa)::integer as tries, sum(l.ab)::numeric as ab, sum(l.h)::numeric as h, sum(l.bb)::numeric as bb,
      sum(l.so)::numeric as so, sum(l.hr)::numeric as hr, sum(l.rbi)::numeric as rbi, sum(l.sb)::numeric as sb,
      sum(l.h + l.bb + l.hbp)::numeric / nullif(sum(l.ab + l.bb + l.hbp + l.sf), 0) as obp,
      sum(l.h + l.doubles + 2 * l.triples + 3 * l.hr)::numeric / nullif(sum(l.ab), 0) as slg
    from public.batting_lines as l where l.player_id = any (people) group by l.player_id, l.season
  ), pitching as (
    select l.player_id, l.season, sum(l.outs)::integer as tries, sum(l.er)::numeric as er, sum(l.h)::numeric as h, sum(l.bb)::numeric as bb,
      sum(l.so)::numeric as so, sum(l.w)::numeric as w, sum(l.sv)::numeric as sv
    from public.pitching_lines as l where l.player_id = any (people) group by l.player_id, l.season
  ), counted as (
    select s.metric, b.season, b.player_id, s.value, b.tries
    from batting as b, lateral (values ('avg', round(b.h / nullif(b.ab, 0), 3)), ('obp', round(b.obp, 3)), ('slg', round(b.slg, 3)),
      ('ops', round(b.obp + b.slg, 3)), ('bb_rate', round(100 * b.bb / nullif(b.tries, 0), 1)), ('k_rate', round(100 * b.so / nullif(b.tries, 0), 1)),
      ('h', b.h), ('hr', b.hr), ('rbi', b.rbi), ('sb', b.sb)) as s (metric, value)
    union all
    select s.metric, p.season, p.player_id, s.value, p.tries
    from pitching as p, lateral (values ('era', round(27 * p.er / nullif(p.tries, 0), 2)), ('whip', round(3 * (p.bb + p.h) / nullif(p.tries, 0), 2)),
      ('k9', round(27 * p.so / nullif(p.tries, 0), 1)), ('bb9', round(27 * p.bb / nullif(p.tries, 0), 1)), ('so', p.so), ('w', p.w), ('sv', p.sv))
      as s (metric, value)
  )
  select c.metric, c.season, c.player_id, c.value::double precision, c.tries from counted as c where c.value is not null
$$;
revoke all on function private.season_values(uuid[]) from public;

-- The rows of private.standings as they should be for these people.
create function private.standings_now(people uuid[]) returns setof private.standings
language sql stable
set search_path = ''
as $$
  with shown as materialized (
    select s.id, s.shown_from, s.grad_year, s.position_group, s.state, b.birth_date
    from private.search_people as s join public.birth_dates as b on b.user_id = s.id
    where s.role = 'player' and s.id = any (people)
  ), newest as (
    select distinct on (m.player_id, m.kind) m.* from public.measurements as m
    where m.player_id = any (people) order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  ), checked as (
    select distinct on (m.player_id, m.kind) m.* from public.measurements as m
    where m.player_id = any (people) and (m.verified_at is not null or m.source = 'scorebook')
    order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  )
  select n.kind, 0, n.player_id, n.value::double precision, null::integer, n.source, n.verified_at is not null, n.taken_at,
    c.value::double precision, c.source, c.verified_at is not null, c.taken_at,
    s.shown_from, s.grad_year, s.position_group, s.state, s.birth_date
  from newest as n join shown as s on s.id = n.player_id
  left join checked as c on c.player_id = n.player_id and c.kind = n.kind
  union all
  -- Season lines are always self-reported.
  select v.metric, v.season, v.player_id, v.value, v.tries, 'self', false, null, null, null, null, null,
    s.shown_from, s.grad_year, s.position_group, s.state, s.birth_date
  from private.season_values(people) as v join shown as s on s.id = v.player_id
$$;
revoke all on function private.standings_now(uuid[]) from public;

create function private.keep_standings(people uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Serializes changes of the same person, so that the second one sees the result of the first.
  perform from public.profiles as p where p.id = any (people) order by p.id for no key update;
  delete from private.standings as s
  where s.player_id = any (people)
    and not exists (select from private.standings_now(people) as now where (now.metric, now.season, now.player_id) = (s.metric, s.season, s.player_id));
  insert into private.standings as s select now.* from private.standings_now(people) as now
  on conflict (metric, season, player_id) do update
  set value = excluded.value, tries = excluded.tries, source = excluded.source, verified = excluded.verified, taken_at = excluded.taken_at,
    checked_value = excluded.checked_value, checked_source = excluded.checked_source, checked_verified = excluded.checked_verified,
    checked_taken_at = excluded.checked_taken_at, shown_from = excluded.shown_from, grad_year = excluded.grad_year,
    position_group = excluded.position_group, state = excluded.state, born = excluded.born
  where s is distinct from excluded;
end
$$;
revoke all on function private.keep_standings(uuid[]) from public;

do $triggers$
declare
  source record;
begin
  for source in select * from (values ('public.measurements', 'player_id'), ('public.batting_lines', 'player_id'), ('public.pitching_lines', 'player_id'),
    ('private.search_people', 'id'), ('public.birth_dates', 'user_id')) as s (name, person) loop
    execute format($sql$
      create trigger standing_new after insert on %1$s
        referencing new table as changed for each statement execute function private.follow_people('keep_standings', %2$L);
      create trigger standing_gone after delete on %1$s
        referencing old table as changed for each statement execute function private.follow_people('keep_standings', %2$L);
    $sql$, source.name, source.person);
    if source.name <> 'private.search_people' then
      execute format($sql$
        create trigger standing_changed after update on %1$s
          referencing new table as changed for each statement execute function private.follow_people('keep_standings', %2$L);
      $sql$, source.name, source.person);
    end if;
  end loop;
end
$triggers$;
-- Updates of search_people count only if they change a filter column.
create trigger standing_changed after update on private.search_people
  referencing old table as before new table as after for each statement execute function private.follow_people('keep_standings', 'changed');

insert into private.standings select now.* from (select array_agg(s.id) as people from private.search_people as s) as every, private.standings_now(every.people) as now;

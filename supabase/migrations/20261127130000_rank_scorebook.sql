-- Scorebook seasons count on leaderboards as checked numbers, and in percentiles. Both follow each sum of a season, so a final game
-- changes them in its own transaction.

-- Seasons of app users in the public final games of teams whose name a verified coach wrote. A team that nobody vouches for could
-- keep a book of games that were never played. Archives with unknown counts have no users.
create view private.booked_batting as
select i.user_id as player_id, s.year as season, sum(b.g)::integer as g, sum(b.pa)::integer as pa, sum(b.ab)::integer as ab, sum(b.h)::integer as h,
  sum(b.doubles)::integer as doubles, sum(b.triples)::integer as triples, sum(b.hr)::integer as hr, sum(b.rbi)::integer as rbi,
  sum(b.bb)::integer as bb, sum(b.so)::integer as so, sum(b.hbp)::integer as hbp, sum(b.sf)::integer as sf, sum(b.sb)::integer as sb
from public.player_season_batting as b
join public.athlete_identities as i on i.athlete_id = b.athlete_id
join public.seasons as s on s.id = b.season_id
join public.teams as t on t.id = b.team_id and t.vetted
where i.user_id is not null group by 1, 2;

create view private.booked_pitching as
select i.user_id as player_id, s.year as season, sum(p.g)::integer as g, sum(p.outs)::integer as outs, sum(p.er)::integer as er, sum(p.h)::integer as h,
  sum(p.bb)::integer as bb, sum(p.so)::integer as so, sum(p.w)::integer as w, sum(p.sv)::integer as sv
from public.player_season_pitching as p
join public.athlete_identities as i on i.athlete_id = p.athlete_id
join public.seasons as s on s.id = p.season_id
join public.teams as t on t.id = p.team_id and t.vetted
where i.user_id is not null group by 1, 2;

alter table private.standings add column checked_tries integer;
drop index private.standings_order_idx, private.standings_checked_order_idx;
create index standings_order_idx on private.standings (metric, season, value, player_id)
  include (tries, checked_value, checked_tries, shown_from, grad_year, position_group, state, born);
create index standings_checked_order_idx on private.standings (metric, season, checked_value, player_id)
  include (checked_tries, shown_from, grad_year, position_group, state, born) where checked_value is not null;

-- As in 20261124020200, one row for each source: the lines that the player entered ('self') and the scorebook.
drop function private.season_values(uuid[]);
create function private.season_values(people uuid[])
returns table (metric text, season integer, player_id uuid, source text, value double precision, tries integer)
language sql stable
set search_path = ''
as $$
  with batting_rows as (
    select 'self' as source, l.player_id, l.season, l.pa, l.ab, l.h, l.doubles, l.triples, l.hr, l.rbi, l.bb, l.so, l.hbp, l.sf, l.sb
    from public.batting_lines as l where l.player_id = any (people)
    union all
    select 'scorebook', b.player_id, b.season, b.pa, b.ab, b.h, b.doubles, b.triples, b.hr, b.rbi, b.bb, b.so, b.hbp, b.sf, b.sb
    from private.booked_batting as b where b.player_id = any (people)
  ), pitching_rows as (
    select 'self' as source, l.player_id, l.season, l.outs, l.er, l.h, l.bb, l.so, l.w, l.sv
    from public.pitching_lines as l where l.player_id = any (people)
    union all
    select 'scorebook', p.player_id, p.season, p.outs, p.er, p.h, p.bb, p.so, p.w, p.sv
    from private.booked_pitching as p where p.player_id = any (people)
  ), batting as (
    select l.source, l.player_id, l.season, sum(l.pa)::integer as tries, sum(l.ab)::numeric as ab, sum(l.h)::numeric as h, sum(l.bb)::numeric as bb,
      sum(l.so)::numeric as so, sum(l.hr)::numeric as hr, sum(l.rbi)::numeric as rbi, sum(l.sb)::numeric as sb,
      sum(l.h + l.bb + l.hbp)::numeric / nullif(sum(l.ab + l.bb + l.hbp + l.sf), 0) as obp,
      sum(l.h + l.doubles + 2 * l.triples + 3 * l.hr)::numeric / nullif(sum(l.ab), 0) as slg
    from batting_rows as l group by l.source, l.player_id, l.season
  ), pitching as (
    select l.source, l.player_id, l.season, sum(l.outs)::integer as tries, sum(l.er)::numeric as er, sum(l.h)::numeric as h, sum(l.bb)::numeric as bb,
      sum(l.so)::numeric as so, sum(l.w)::numeric as w, sum(l.sv)::numeric as sv
    from pitching_rows as l group by l.source, l.player_id, l.season
  ), counted as (
    select s.metric, b.season, b.player_id, b.source, s.value, b.tries
    from batting as b, lateral (values ('avg', round(b.h / nullif(b.ab, 0), 3)), ('obp', round(b.obp, 3)), ('slg', round(b.slg, 3)),
      ('ops', round(b.obp + b.slg, 3)), ('bb_rate', round(100 * b.bb / nullif(b.tries, 0), 1)), ('k_rate', round(100 * b.so / nullif(b.tries, 0), 1)),
      ('h', b.h), ('hr', b.hr), ('rbi', b.rbi), ('sb', b.sb)) as s (metric, value)
    union all
    select s.metric, p.season, p.player_id, p.source, s.value, p.tries
    from pitching as p, lateral (values ('era', round(27 * p.er / nullif(p.tries, 0), 2)), ('whip', round(3 * (p.bb + p.h) / nullif(p.tries, 0), 2)),
      ('k9', round(27 * p.so / nullif(p.tries, 0), 1)), ('bb9', round(27 * p.bb / nullif(p.tries, 0), 1)), ('so', p.so), ('w', p.w), ('sv', p.sv))
      as s (metric, value)
  )
  select c.metric, c.season, c.player_id, c.source, c.value::double precision, c.tries from counted as c where c.value is not null
$$;
revoke all on function private.season_values(uuid[]) from public;

-- As in 20261124020200. With all evidence, a season counts by the source that has more of it: the scorebook may lack games of
-- other teams. At equal tries the scorebook counts.
create or replace function private.standings_now(people uuid[]) returns setof private.standings
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
  ), fullest as (
    -- booked_value and booked_tries: those of the scorebook, null without it.
    select distinct on (v.metric, v.season, v.player_id) v.*,
      max(v.value) filter (where v.source = 'scorebook') over own as booked_value,
      max(v.tries) filter (where v.source = 'scorebook') over own as booked_tries
    from private.season_values(people) as v window own as (partition by v.metric, v.season, v.player_id)
    order by v.metric, v.season, v.player_id, v.tries desc, v.source = 'scorebook' desc
  )
  select n.kind, 0, n.player_id, n.value::double precision, null::integer, n.source, n.verified_at is not null, n.taken_at,
    c.value::double precision, c.source, c.verified_at is not null, c.taken_at,
    s.shown_from, s.grad_year, s.position_group, s.state, s.birth_date, null::integer
  from newest as n join shown as s on s.id = n.player_id
  left join checked as c on c.player_id = n.player_id and c.kind = n.kind
  union all
  select f.metric, f.season, f.player_id, f.value, f.tries, f.source, false, null,
    f.booked_value, case when f.booked_value is not null then 'scorebook' end, case when f.booked_value is not null then false end, null,
    s.shown_from, s.grad_year, s.position_group, s.state, s.birth_date, f.booked_tries
  from fullest as f join shown as s on s.id = f.player_id
$$;

create or replace function private.keep_standings(people uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Serializes changes of the same person, so that the second one sees the result of the first.
  perform from public.profiles as p where p.id = any (people) order by p.id for no key update;
  with now as materialized (
    select n.* from private.standings_now(people) as n
  ), gone as (
    delete from private.standings as s
    where s.player_id = any (people)
      and not exists (select from now where (now.metric, now.season, now.player_id) = (s.metric, s.season, s.player_id))
  )
  insert into private.standings as s select now.* from now
  on conflict (metric, season, player_id) do update
  set value = excluded.value, tries = excluded.tries, source = excluded.source, verified = excluded.verified, taken_at = excluded.taken_at,
    checked_value = excluded.checked_value, checked_source = excluded.checked_source, checked_verified = excluded.checked_verified,
    checked_taken_at = excluded.checked_taken_at, checked_tries = excluded.checked_tries, shown_from = excluded.shown_from,
    grad_year = excluded.grad_year, position_group = excluded.position_group, state = excluded.state, born = excluded.born
  where s is distinct from excluded;
end
$$;

-- As in 20261121131400. Rates are those of the newest season with enough data, of the scorebook if it has that many. tries: plate
-- appearances or outs.
create or replace view private.numbers_now as
with batting_seasons as (
  select b.player_id, b.season, 'self' as source, b.pa, b.ab, b.avg, b.obp, b.slg, b.ops from public.batting_lines as b
  union all
  select b.player_id, b.season, 'scorebook' as source, b.pa, b.ab, round(b.h::numeric / nullif(b.ab, 0), 3), round(r.obp, 3), round(r.slg, 3), round(r.obp + r.slg, 3)
  from private.booked_batting as b,
    lateral (select (b.h + b.bb + b.hbp)::numeric / nullif(b.ab + b.bb + b.hbp + b.sf, 0) as obp,
      (b.h + b.doubles + 2 * b.triples + 3 * b.hr)::numeric / nullif(b.ab, 0) as slg) as r
), batting as (
  select distinct on (b.player_id) b.* from batting_seasons as b where b.ab >= 20
  order by b.player_id, b.season desc, b.source = 'scorebook' desc, b.ab desc
), pitching_seasons as (
  select t.player_id, t.season, 'self' as source, t.outs, t.era, t.whip, t.k9, t.bb9 from public.pitching_lines as t
  union all
  select p.player_id, p.season, 'scorebook' as source, p.outs, round(27 * p.er / nullif(p.outs, 0)::numeric, 2), round(3 * (p.bb + p.h) / nullif(p.outs, 0)::numeric, 2),
    round(27 * p.so / nullif(p.outs, 0)::numeric, 2), round(27 * p.bb / nullif(p.outs, 0)::numeric, 2)
  from private.booked_pitching as p
), pitching as (
  select distinct on (t.player_id) t.* from pitching_seasons as t where t.outs >= 30
  order by t.player_id, t.season desc, t.source = 'scorebook' desc, t.outs desc
), rates as (
  select b.player_id, rate.metric, rate.value, b.source, b.pa as tries, b.season
  from batting as b, lateral (values ('avg', b.avg), ('obp', b.obp), ('slg', b.slg), ('ops', b.ops)) as rate (metric, value)
  union all
  select t.player_id, rate.metric, rate.value, t.source, t.outs, t.season
  from pitching as t, lateral (values ('era', t.era), ('whip', t.whip), ('k9', t.k9), ('bb9', t.bb9)) as rate (metric, value)
)
(select distinct on (m.player_id, m.kind)
  m.player_id, m.kind as metric, m.value, m.source, m.verified_at is not null as verified, m.taken_at,
  null::integer as tries, null::integer as season
from public.measurements as m
order by m.player_id, m.kind, m.taken_at desc, m.created_at desc)
union all
select r.player_id, r.metric, r.value, r.source, false as verified, null::date as taken_at, r.tries, r.season from rates as r where r.value is not null;

alter table public.player_numbers add column tries integer, add column season integer;

-- Writes the numbers of these people.
create function private.renew_numbers(people uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Serializes changes of the same player, so that the second one sees the result of the first.
  perform from public.players as p where p.user_id = any (people) order by p.user_id for no key update;
  delete from public.player_numbers as kept
  where kept.player_id = any (people)
    and not exists (select from private.numbers_now as n where n.player_id = kept.player_id and n.metric = kept.metric);
  insert into public.player_numbers as kept (player_id, metric, value, source, verified, taken_at, tries, season)
  select n.player_id, n.metric, n.value, n.source, n.verified, n.taken_at, n.tries, n.season
  from private.numbers_now as n join public.players as p on p.user_id = n.player_id where n.player_id = any (people)
  on conflict (player_id, metric) do update
  set value = excluded.value, source = excluded.source, verified = excluded.verified, taken_at = excluded.taken_at, tries = excluded.tries,
    season = excluded.season
  where kept is distinct from excluded;
end
$$;
revoke all on function private.renew_numbers(uuid[]) from public;

create or replace function private.keep_numbers() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.renew_numbers(array(select distinct c.player_id from changed as c));
  return null;
end
$$;

-- Renews what is kept of the players who are these athletes.
create function private.renew_players_of(athletes uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  people constant uuid[] := array(select i.user_id from public.athlete_identities as i where i.athlete_id = any (athletes) and i.user_id is not null);
begin
  if people <> '{}' then
    perform private.renew_numbers(people);
    perform private.keep_standings(people);
  end if;
end
$$;
revoke all on function private.renew_players_of(uuid[]) from public;

create function private.follow_seasons() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.renew_players_of(array(select distinct c.athlete_id from changed as c));
  return null;
end
$$;
revoke all on function private.follow_seasons() from public;

do $triggers$
declare
  about text;
begin
  foreach about in array array['player_season_batting', 'player_season_pitching'] loop
    execute format($sql$
      create trigger season_new after insert on public.%1$I
        referencing new table as changed for each statement execute function private.follow_seasons();
      create trigger season_changed after update on public.%1$I
        referencing new table as changed for each statement execute function private.follow_seasons();
      create trigger season_gone after delete on public.%1$I
        referencing old table as changed for each statement execute function private.follow_seasons();
    $sql$, about);
  end loop;
end
$triggers$;

-- A team gains or loses the name by a verified coach that makes its seasons count.
create function private.follow_vetting() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.renew_players_of(array(
    select b.athlete_id from public.player_season_batting as b where b.team_id = new.id
    union select p.athlete_id from public.player_season_pitching as p where p.team_id = new.id));
  return null;
end
$$;
revoke all on function private.follow_vetting() from public;
create trigger follow_vetting after update on public.teams
  for each row when (old.vetted is distinct from new.vetted) execute function private.follow_vetting();

-- As in 20261123050540. The triggers of season lines lock players; locking all of them first, in order, keeps two games with the
-- same players from waiting for each other.
create or replace function private.sum_season(season uuid, team uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  people uuid[];
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('season ', season, ' ', team), 0));
  select array_agg(i.user_id) into people
  from public.athlete_identities as i
  where i.user_id is not null and i.athlete_id in (
    select l.athlete_id from public.games as g join public.lineups as l on l.game_id = g.id
    where g.season_id = sum_season.season and g.owner_team_id = sum_season.team
    union select b.athlete_id from public.player_season_batting as b where b.season_id = sum_season.season and b.team_id = sum_season.team
    union select p.athlete_id from public.player_season_pitching as p where p.season_id = sum_season.season and p.team_id = sum_season.team);
  perform from public.players as p where p.user_id = any (people) order by p.user_id for no key update;
  perform from public.profiles as p where p.id = any (people) order by p.id for no key update;
  delete from public.player_season_batting as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_pitching as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_fielding as s where s.season_id = season and s.team_id = team;
  insert into public.player_season_batting (season_id, athlete_id, team_id, g, pa, ab, r, h, doubles, triples, hr, rbi, sb, cs,
    bb, so, ibb, hbp, sh, sf, gidp)
  select season, l.athlete_id, team, count(*), sum(l.pa), sum(l.ab), sum(l.r), sum(l.h), sum(l.doubles), sum(l.triples), sum(l.hr), sum(l.rbi),
    sum(l.sb), sum(l.cs), sum(l.bb), sum(l.so), sum(l.ibb), sum(l.hbp), sum(l.sh), sum(l.sf), sum(l.gidp)
  from public.player_game_batting as l
  join public.games as g on g.id = l.game_id and team = case l.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by l.athlete_id;
  insert into public.player_season_pitching (season_id, athlete_id, team_id, g, gs, w, l, sv, hld, bs, cg, sho, outs, bfp, h, r,
    er, hr, bb, so, ibb, wp, hbp, bk)
  select season, p.athlete_id, team, count(*), sum(p.gs), sum(p.w), sum(p.l), sum(p.sv), sum(p.hld), sum(p.bs), sum(p.cg), sum(p.sho), sum(p.outs),
    sum(p.bfp), sum(p.h), sum(p.r), sum(p.er), sum(p.hr), sum(p.bb), sum(p.so), sum(p.ibb), sum(p.wp), sum(p.hbp), sum(p.bk)
  from public.player_game_pitching as p
  join public.games as g on g.id = p.game_id and team = case p.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by p.athlete_id;
  insert into public.player_season_fielding (season_id, athlete_id, team_id, position, g, gs, outs, po, a, e, dp, pb, wp, sb, cs)
  select season, f.athlete_id, team, f.position, count(*), sum(f.gs), sum(f.outs), sum(f.po), sum(f.a), sum(f.e), sum(f.dp), sum(f.pb),
    sum(f.wp), sum(f.sb), sum(f.cs)
  from public.player_game_fielding as f
  join public.games as g on g.id = f.game_id and team = case f.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by f.athlete_id, f.position;
end
$$;

-- What was scored before this migration.
select private.renew_players_of(array(select i.athlete_id from public.athlete_identities as i where i.user_id is not null));

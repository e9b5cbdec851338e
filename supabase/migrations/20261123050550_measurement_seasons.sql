-- As in 20261123040200, except that measurements are always ranked by the age groups of this year. The groups of other years
-- begin and end with other birth years, so that a player's could be found out.
create or replace function public.leaderboard(metric text, season integer default null, filters jsonb default '{}',
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
  year := case when stat.lines is null then extract(year from private.today())::integer
    else coalesce(season, year, extract(year from private.today())::integer) end;
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

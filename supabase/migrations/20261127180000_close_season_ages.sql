-- Age groups for the boards of this season only. A player's group changes with the season, so the groups of several seasons, and
-- who was under 14 in which of them, would reveal the birth year of a minor with lines in each.

-- As in 20261124020300, but ages are always those of this year: with an earlier season the filter is refused, and the players who
-- are under 14 on January 1 of this year are left out of every season.
create or replace function private.leader_condition(filters jsonb, season integer) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  this_year constant integer := extract(year from private.today());
  age constant text := coalesce(filters ->> 'age', '');
  condition text := format('s.shown_from <= %L::date', private.today());
  part record;
begin
  if age <> '' and season <> this_year then
    raise exception 'Only this season has age groups.' using errcode = 'PT400',
      hint = 'Age groups of several seasons would reveal the birth years of players.';
  elsif age <> '14u' then
    condition := condition || format(' and s.born <= make_date(%s - 14, 1, 1)', this_year);
  end if;
  for part in select * from jsonb_each_text(filters) as f (key, value) where f.value <> '' loop
    condition := condition || ' and ' || case part.key
      when 'class' then format('s.grad_year = %L::integer', part.value)
      when 'position' then format('s.position_group = %L', part.value)
      when 'state' then format('s.state = %L', part.value)
      when 'age' then (
        select format('s.born between %L and %L', g.first, g.last)
        from (values ('14u', make_date(this_year - 15, 5, 2), 'infinity'), ('16u', make_date(this_year - 17, 5, 2), make_date(this_year - 15, 5, 1)),
          ('18u', make_date(this_year - 19, 5, 2), make_date(this_year - 17, 5, 1)), ('open', '-infinity', make_date(this_year - 19, 5, 1))
        ) as g (name, first, last) where g.name = part.value)
    end;
    if condition is null then
      raise exception 'The filter % cannot be read.', part.key using errcode = 'PT400';
    end if;
  end loop;
  return condition;
end
$$;

-- As in 20261124020300. The latest season is the last one with numbers of the evidence asked for, otherwise the last of any. A row
-- also has its trail: at least five earlier values, the oldest first, or null.
-- A leaderboard. metric: a kind of measurement or a statistic of private.season_stat(). season: null for measurements, or for the
-- latest season. filters: class, position (a group), state, age (14u, 16u, 18u, open). minimum: the plate appearances or outs
-- that qualify; null for the default. after: `next` of the previous page. places: the number of rows; a board lists at most
-- 1,000. Returns season, minimum, lower_is_better, qualified and unqualified (numbers of players), unverified (how many more
-- players have only self-reported numbers), average, rows (equal values share a rank; the unqualified follow, with what they
-- need), next, histogram (least value, width and counts; null below 20 players), you (the caller's row, if any), and young
-- (whether the caller is left out because players under 14 on January 1 of this year appear only on 14U boards). With an age group,
-- the season is this year's unless another is asked for, which private.leader_condition() refuses.
create or replace function public.leaderboard(metric text, season integer default null, filters jsonb default '{}',
  evidence text default 'verified', minimum integer default null, after jsonb default null, places integer default 50)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  this_year constant integer := extract(year from private.today());
  stat record;
  year integer := extract(year from private.today());
  needed integer;
  board jsonb;
begin
  select s.lines, s.lower_is_better, s.least_tries, s.digits into stat from private.season_stat(metric) as s;
  if stat.lines is null then
    select null::text as lines, k.lower_is_better, 0 as least_tries, k.decimals as digits into stat
    from public.measurement_kinds as k where k.kind = metric and k.active;
    if not found then
      raise exception 'There is no such statistic.' using errcode = 'PT404';
    end if;
  else
    -- Measurements always use this year's age groups: comparing the groups of several years would reveal the birth year.
    -- Age groups exist for this season alone.
    year := coalesce(season, case when filters ->> 'age' <> '' then this_year end,
      case when evidence = 'verified' then (select max(s.season) from private.standings as s
        where s.metric = leaderboard.metric and s.season <= this_year and s.checked_value is not null) end,
      (select max(s.season) from private.standings as s where s.metric = leaderboard.metric and s.season <= this_year), this_year);
  end if;
  if evidence not in ('verified', 'all') or places not between 1 and 1000 or year not between 1950 and 2100 then
    raise exception 'evidence is verified or all; up to 1,000 places are listed.' using errcode = 'PT400';
  end if;
  needed := greatest(0, coalesce(minimum, stat.least_tries));
  execute private.board(evidence = 'verified', stat.lower_is_better, private.leader_condition(filters, year)) into board
    using metric, case when stat.lines is null then 0 else year end, needed, uid,
      (after ->> 'qualifies')::boolean, (after ->> 'value')::double precision, (after ->> 'id')::uuid, places, stat.digits;
  return board || jsonb_build_object('season', case when stat.lines is not null then year end, 'minimum', needed,
    'lower_is_better', stat.lower_is_better, 'young', coalesce(filters ->> 'age', '') <> '14u' and exists (
      select from public.birth_dates as b join public.profiles as p on p.id = b.user_id and p.role = 'player'
      where b.user_id = uid and not private.compares(b.birth_date, this_year)));
end
$$;

-- Percentiles say how many plate appearances or outs a rate comes from, and of which season.
-- As in 20261122100500, with tries and season, which are null for measurements.
-- same_age: the player is under 14 and was compared only with players of the same age.
drop function public.player_percentiles(uuid);
create function public.player_percentiles(player_id uuid)
returns table (metric text, label text, value numeric, unit text, percentile integer, n integer, class integer,
  "position" text, same_age boolean, source text, verified boolean, taken_at date, tries integer, season integer)
language sql stable security definer
set search_path = ''
as $$
  with metrics as (
    select k.kind as metric, k.label, k.unit, k.lower_is_better, k."position" as place from public.measurement_kinds as k
    where k.active
    union all values
      ('avg', 'Batting average', '', false, 101), ('obp', 'On-base percentage', '', false, 102),
      ('slg', 'Slugging', '', false, 103), ('ops', 'OPS', '', false, 104),
      ('era', 'ERA', '', true, 201), ('whip', 'WHIP', '', true, 202),
      ('k9', 'Strikeouts per 9', '', false, 203), ('bb9', 'Walks per 9', '', true, 204)
  ), seen as materialized (
    select private.seen_besides() as id
  ), subject as materialized (
    select p.user_id, p.grad_year, p.position_group, private.age_mates(p.user_id) as born, private.today() as today,
      coalesce(private.age(p.user_id) < 14, true) as young
    from public.players as p join public.profiles as who on who.id = p.user_id
    where p.user_id = player_percentiles.player_id and not private.is_suspended()
      and ((who.public_profile and who.shown_from <= private.today()) or who.id in (select s.id from seen as s)
        or private.is_admin())
  ), own as materialized (
    select s.*, m.label, m.unit, m.lower_is_better, m.place, mine.*
    from subject as s
    join public.player_numbers as mine on mine.player_id = s.user_id
    join metrics as m on m.metric = mine.metric
  ), others as (
    select own.metric,
      case when other.value = own.value then 0.5 when (other.value < own.value) <> own.lower_is_better then 1 else 0 end as below,
      them.position_group = own.position_group as of_position,
      them.position_group = own.position_group and them.grad_year = own.grad_year as of_class
    from own
    join public.player_numbers as other on other.metric = own.metric
    join public.players as them on them.user_id = other.player_id
    join public.profiles as who on who.id = them.user_id
    left join public.birth_dates as b on b.user_id = them.user_id
    where them.user_id = own.user_id
      or (b.birth_date <@ own.born
        and ((who.public_profile and who.shown_from <= own.today) or who.id in (select s.id from seen as s)))
  ), circles as (
    select o.metric, count(*) as n, sum(o.below) as below,
      count(*) filter (where o.of_position) as n_position, sum(o.below) filter (where o.of_position) as below_position,
      count(*) filter (where o.of_class) as n_class, sum(o.below) filter (where o.of_class) as below_class
    from others as o group by o.metric
  ), compared as (
    -- The narrowest circle of 20, or the widest there is.
    select c.metric, chosen.*
    from circles as c, lateral (values
      (1, c.n_class, c.below_class, true, true), (2, c.n_position, c.below_position, false, true),
      (3, c.n, c.below, false, false)) as chosen (width, n, below, of_class, of_position)
    where chosen.n >= 20 or chosen.width = 3
  ), narrowest as (
    select distinct on (c.metric) c.* from compared as c order by c.metric, c.width
  )
  select own.metric, own.label, own.value, own.unit,
    case when c.n >= 5 then least(99, greatest(1, round(100 * c.below / c.n)))::integer end, c.n::integer,
    case when c.of_class then own.grad_year end, case when c.of_position then own.position_group end,
    own.young, own.source, own.verified, own.taken_at, own.tries, own.season
  from own join narrowest as c on c.metric = own.metric
  order by own.place
$$;
revoke all on function public.player_percentiles(uuid) from public, anon, authenticated;
grant execute on function public.player_percentiles(uuid) to anon, authenticated;

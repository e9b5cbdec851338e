-- Where a player's numbers stand among players of the same class and position. Runs as the caller: who may not be seen is
-- neither compared nor counted.

-- A number's share of the players below it, half of the equal ones included, in percent; n says how many players that is,
-- the player included. Fewer than 20 of the same class and position: the class is dropped, then the position, and the row
-- says so by null. Below five players there is no percentile.
create function public.player_percentiles(player_id uuid)
returns table (metric text, label text, value numeric, unit text, percentile integer, n integer, class integer,
  "position" text, source text, verified boolean, taken_at date)
language sql stable
set search_path = ''
as $$
  with subject as (
    select p.user_id, p.grad_year, p.position_group from public.players as p where p.user_id = player_percentiles.player_id
  ), wanted as (
    -- The newest of each kind.
    select distinct on (m.player_id, m.kind)
      m.player_id, m.kind as metric, m.value, m.source, m.verified_at is not null as verified, m.taken_at
    from public.measurements as m
    where m.kind in (select mine.kind from public.measurements as mine where mine.player_id = player_percentiles.player_id)
    order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  ), batting as (
    select distinct on (b.player_id) b.player_id, b.season, b.avg, b.obp, b.slg, b.ops
    from public.batting_lines as b
    where b.ab >= 20 and exists (select from public.batting_lines as mine where mine.player_id = player_percentiles.player_id)
    order by b.player_id, b.season desc, b.ab desc
  ), pitching as (
    select distinct on (t.player_id) t.player_id, t.season, t.era, t.whip, t.k9, t.bb9
    from public.pitching_lines as t
    where t.outs >= 30 and exists (select from public.pitching_lines as mine where mine.player_id = player_percentiles.player_id)
    order by t.player_id, t.season desc, t.outs desc
  ), numbers as (
    select w.player_id, w.metric, k.label, w.value, k.unit, k.lower_is_better, w.source, w.verified, w.taken_at,
      k."position" as place
    from wanted as w join public.measurement_kinds as k on k.kind = w.metric
    union all
    select b.player_id, stat.metric, stat.label, stat.value, '', false, 'self', false, null::date, stat.place
    from batting as b, lateral (values
      ('avg', 'Batting average', b.avg, 101), ('obp', 'On-base percentage', b.obp, 102),
      ('slg', 'Slugging', b.slg, 103), ('ops', 'OPS', b.ops, 104)) as stat (metric, label, value, place)
    union all
    select t.player_id, stat.metric, stat.label, stat.value, '', stat.lower, 'self', false, null::date, stat.place
    from pitching as t, lateral (values
      ('era', 'ERA', t.era, true, 201), ('whip', 'WHIP', t.whip, true, 202),
      ('k9', 'Strikeouts per 9', t.k9, false, 203), ('bb9', 'Walks per 9', t.bb9, true, 204)) as stat (metric, label, value, lower, place)
  ), paired as (
    select own.metric, other.player_id = own.player_id or them.position_group = s.position_group as same_position,
      other.player_id = own.player_id or (them.position_group = s.position_group and them.grad_year = s.grad_year) as same_class,
      case when other.value = own.value then 0.5 when (other.value < own.value) <> own.lower_is_better then 1 else 0 end as below
    from numbers as own
    join subject as s on s.user_id = own.player_id
    join numbers as other on other.metric = own.metric
    join public.players as them on them.user_id = other.player_id
    where own.value is not null and other.value is not null
  ), counted as (
    select p.metric, count(*) as everybody, sum(p.below) as below_all,
      count(*) filter (where p.same_position) as position_mates, sum(p.below) filter (where p.same_position) as below_position,
      count(*) filter (where p.same_class) as class_mates, sum(p.below) filter (where p.same_class) as below_class
    from paired as p group by p.metric
  ), compared as (
    -- The narrowest circle of 20, or the widest there is.
    select t.metric, circle.number, circle.n::integer, 100 * circle.below / circle.n as share
    from counted as t, lateral (
      select c.* from (values (1, t.class_mates, t.below_class), (2, t.position_mates, t.below_position), (3, t.everybody, t.below_all))
        as c (number, n, below)
      where c.n >= 20 or c.number = 3 order by c.number limit 1) as circle
  )
  select own.metric, own.label, own.value, own.unit,
    case when c.n >= 5 then least(99, greatest(1, round(c.share)))::integer end, c.n,
    case when c.number = 1 then s.grad_year end, case when c.number <= 2 then s.position_group end,
    own.source, own.verified, own.taken_at
  from numbers as own
  join subject as s on s.user_id = own.player_id
  join compared as c on c.metric = own.metric
  where own.value is not null
  order by own.place
$$;
revoke all on function public.player_percentiles(uuid) from public, anon, authenticated;
grant execute on function public.player_percentiles(uuid) to anon, authenticated;

-- A player's numbers compared with those of players of the same class and position. Runs as the caller: players whom
-- the caller cannot see are neither compared nor counted.

-- What a player is compared by: the newest measurement of each kind, and the rates of the newest season with enough
-- data.
create view private.numbers_now as
with batting as (
  select distinct on (b.player_id) b.player_id, b.avg, b.obp, b.slg, b.ops
  from public.batting_lines as b where b.ab >= 20
  order by b.player_id, b.season desc, b.ab desc
), pitching as (
  select distinct on (t.player_id) t.player_id, t.era, t.whip, t.k9, t.bb9
  from public.pitching_lines as t where t.outs >= 30
  order by t.player_id, t.season desc, t.outs desc
), rates as (
  select b.player_id, rate.metric, rate.value
  from batting as b, lateral (values ('avg', b.avg), ('obp', b.obp), ('slg', b.slg), ('ops', b.ops)) as rate (metric, value)
  union all
  select t.player_id, rate.metric, rate.value
  from pitching as t, lateral (values ('era', t.era), ('whip', t.whip), ('k9', t.k9), ('bb9', t.bb9)) as rate (metric, value)
)
(select distinct on (m.player_id, m.kind)
  m.player_id, m.kind as metric, m.value, m.source, m.verified_at is not null as verified, m.taken_at
from public.measurements as m
order by m.player_id, m.kind, m.taken_at desc, m.created_at desc)
union all
select r.player_id, r.metric, r.value, 'self', false, null from rates as r where r.value is not null;

-- The same, materialised by triggers: comparing a player reads one row of each other player, not their histories.
create table public.player_numbers (
  player_id uuid not null references public.players (user_id) on delete cascade,
  -- A kind of measurement, or a rate of a season.
  metric text not null,
  value numeric not null,
  source text not null,
  verified boolean not null,
  taken_at date,
  primary key (player_id, metric)
);
create index player_numbers_metric_idx on public.player_numbers (metric, player_id) include (value);

create function private.keep_numbers() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  people uuid[];
begin
  -- Two changes of one player's come after one another, and the second sees what the first has done.
  perform from public.players as p where p.user_id in (select player_id from changed) order by p.user_id for no key update;
  select array_agg(distinct player_id) into people from changed;
  delete from public.player_numbers as kept
  where kept.player_id = any (people)
    and not exists (select from private.numbers_now as n where n.player_id = kept.player_id and n.metric = kept.metric);
  insert into public.player_numbers as kept (player_id, metric, value, source, verified, taken_at)
  select n.player_id, n.metric, n.value, n.source, n.verified, n.taken_at
  from private.numbers_now as n where n.player_id = any (people)
  on conflict (player_id, metric) do update
  set value = excluded.value, source = excluded.source, verified = excluded.verified, taken_at = excluded.taken_at
  where (kept.value, kept.source, kept.verified, kept.taken_at)
    is distinct from (excluded.value, excluded.source, excluded.verified, excluded.taken_at);
  return null;
end
$$;
revoke all on function private.keep_numbers() from public;

-- A row's owner never changes, so old and new rows name the same player.
do $triggers$
declare
  about text;
begin
  foreach about in array array['measurements', 'batting_lines', 'pitching_lines'] loop
    execute format($sql$
      create trigger keep_numbers_of_new after insert on public.%1$I
        referencing new table as changed for each statement execute function private.keep_numbers();
      create trigger keep_numbers_of_changed after update on public.%1$I
        referencing new table as changed for each statement execute function private.keep_numbers();
      create trigger keep_numbers_of_gone after delete on public.%1$I
        referencing old table as changed for each statement execute function private.keep_numbers();
    $sql$, about);
  end loop;
end
$triggers$;

alter table public.player_numbers enable row level security;
create policy "everybody reads those of whom they may see" on public.player_numbers
  for select to anon, authenticated
  using (exists (select from public.profiles as p where p.id = player_id));
create policy "not the suspended" on public.player_numbers
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.player_numbers from anon, authenticated;
grant select on table public.player_numbers to anon, authenticated;

-- The percentage of players with a worse number, plus half of those with an equal one; n is the number of players, this
-- one included. With fewer than 20 of the same class and position, first the class and then the position is dropped,
-- and the returned column is null. With fewer than five players there is no percentile.
create function public.player_percentiles(player_id uuid)
returns table (metric text, label text, value numeric, unit text, percentile integer, n integer, class integer,
  "position" text, source text, verified boolean, taken_at date)
language sql stable
set search_path = ''
as $$
  with metrics as (
    select k.kind as metric, k.label, k.unit, k.lower_is_better, k."position" as place from public.measurement_kinds as k
    union all values
      ('avg', 'Batting average', '', false, 101), ('obp', 'On-base percentage', '', false, 102),
      ('slg', 'Slugging', '', false, 103), ('ops', 'OPS', '', false, 104),
      ('era', 'ERA', '', true, 201), ('whip', 'WHIP', '', true, 202),
      ('k9', 'Strikeouts per 9', '', false, 203), ('bb9', 'Walks per 9', '', true, 204)
  ), own as materialized (
    select p.grad_year, p.position_group, m.label, m.unit, m.lower_is_better, m.place, mine.*
    from public.players as p
    join public.player_numbers as mine on mine.player_id = p.user_id
    join metrics as m on m.metric = mine.metric
    where p.user_id = player_percentiles.player_id
  ), class_mates as materialized (
    select own.metric, count(*) as n,
      sum(case when other.value = own.value then 0.5 when (other.value < own.value) <> own.lower_is_better then 1 else 0 end) as below
    from own
    join public.players as them on them.position_group = own.position_group and them.grad_year = own.grad_year
    join public.player_numbers as other on other.player_id = them.user_id and other.metric = own.metric
    group by own.metric
  ), position_mates as materialized (
    select own.metric, count(*) as n,
      sum(case when other.value = own.value then 0.5 when (other.value < own.value) <> own.lower_is_better then 1 else 0 end) as below
    from own
    join public.players as them on them.position_group = own.position_group
    join public.player_numbers as other on other.player_id = them.user_id and other.metric = own.metric
    where own.metric not in (select c.metric from class_mates as c where c.n >= 20)
    group by own.metric
  ), everybody as materialized (
    select own.metric, count(*) as n,
      sum(case when other.value = own.value then 0.5 when (other.value < own.value) <> own.lower_is_better then 1 else 0 end) as below
    from own
    join public.player_numbers as other on other.metric = own.metric
    where own.metric not in (select c.metric from class_mates as c where c.n >= 20)
      and own.metric not in (select c.metric from position_mates as c where c.n >= 20)
    group by own.metric
  ), compared as (
    -- The narrowest circle of 20, or the widest there is.
    select c.metric, c.n, 100 * c.below / c.n as share, true as of_class, true as of_position
    from class_mates as c where c.n >= 20
    union all
    select c.metric, c.n, 100 * c.below / c.n, false, true from position_mates as c where c.n >= 20
    union all
    select c.metric, c.n, 100 * c.below / c.n, false, false from everybody as c
  )
  select own.metric, own.label, own.value, own.unit,
    case when c.n >= 5 then least(99, greatest(1, round(c.share)))::integer end, c.n::integer,
    case when c.of_class then own.grad_year end, case when c.of_position then own.position_group end,
    own.source, own.verified, own.taken_at
  from own join compared as c on c.metric = own.metric
  order by own.place
$$;
revoke all on function public.player_percentiles(uuid) from public, anon, authenticated;
grant execute on function public.player_percentiles(uuid) to anon, authenticated;

-- Home shows six players with newly verified numbers, even if a coach has just verified many numbers of one player.

-- The up to six players with the most recently verified numbers, each with the newest one. Children are left out, even for
-- readers who may open their profile.
create or replace function private.home_discover() returns jsonb
language sql stable security definer
set search_path = ''
as $$
  -- Goes back from each player's newest number to the newest of the next player.
  with recursive newest as (
    (select m.id, m.verified_at, array[m.player_id] as players
    from public.measurements as m
    join public.profiles as p on p.id = m.player_id and p.public_profile and p.shown_from <= private.today()
    where m.verified_at is not null and m.player_id <> (select auth.uid())
      and (select private.is_own_app() and not private.is_suspended())
    order by m.verified_at desc, m.player_id, m.kind limit 1)
    union all
    select next.id, next.verified_at, n.players || next.player_id
    from newest as n
    cross join lateral (
      select m.id, m.verified_at, m.player_id
      from public.measurements as m
      join public.profiles as p on p.id = m.player_id and p.public_profile and p.shown_from <= private.today()
      where m.verified_at <= n.verified_at and m.player_id <> (select auth.uid()) and m.player_id <> all (n.players)
      order by m.verified_at desc, m.player_id, m.kind limit 1
    ) as next
    where cardinality(n.players) < 6
  ), shown as (
    select m.player_id, m.value, m.unit, m.taken_at, m.verified_at, p.full_name, y.positions[1] as "position", y.grad_year,
      k.label, k.decimals
    from newest as n
    join public.measurements as m on m.id = n.id
    join public.measurement_kinds as k on k.kind = m.kind
    join public.players as y on y.user_id = m.player_id
    join public.profiles as p on p.id = m.player_id
  )
  select coalesce(jsonb_agg(to_jsonb(s) - 'verified_at' order by s.verified_at desc, s.player_id), '[]') from shown as s
$$;

-- When the owner last looked at a list, and when the visit before that was: what came in between is new. Openings within half an hour
-- are one visit, so that a reload does not make everything seen.
alter table public.watchlists add column visited_at timestamptz, add column previous_visit_at timestamptz;

-- Begins a visit of all lists of the caller. Returns the numbers of listed players that were entered since the visit before, the
-- newest twenty of each list.
create function public.visit_lists()
returns table (watchlist_id uuid, since timestamptz, id uuid, player_id uuid, full_name text, label text, decimals integer, unit text,
  lower_is_better boolean, was numeric, now numeric, taken_at date, verified boolean)
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  update public.watchlists as w
  set previous_visit_at = case when w.visited_at > pg_catalog.now() - interval '30 minutes' then w.previous_visit_at else w.visited_at end,
      visited_at = pg_catalog.now()
  where w.owner_id = uid;
  return query
    select w.id, w.previous_visit_at, m.id, m.player_id, p.full_name, k.label, k.decimals, m.unit, k.lower_is_better,
      (select b.value from public.measurements as b
       where b.player_id = m.player_id and b.kind = m.kind and (b.taken_at, b.created_at) < (m.taken_at, m.created_at)
       order by b.taken_at desc, b.created_at desc limit 1),
      m.value, m.taken_at, m.verified_at is not null
    from public.watchlists as w
    cross join lateral (
      select n.* from public.watchlist_players as l join public.measurements as n on n.player_id = l.player_id
      where l.watchlist_id = w.id and n.created_at > w.previous_visit_at
        and exists (select from public.profiles as v where v.id = n.player_id and private.sees(v))
      order by n.created_at desc, n.id limit 20) as m
    join public.profiles as p on p.id = m.player_id
    join public.measurement_kinds as k on k.kind = m.kind
    where w.owner_id = uid
    order by w.id, m.created_at desc, m.id;
end
$$;
revoke all on function public.visit_lists() from public, anon, authenticated;
grant execute on function public.visit_lists() to authenticated;

-- The numbers of up to four players for one table, each with the percentile and the group of player_percentiles(), which decides who
-- is shown.
create function public.compare_players(player_ids uuid[])
returns table (player_id uuid, metric text, label text, unit text, decimals integer, lower_is_better boolean, value numeric,
  percentile integer, n integer, class integer, "position" text, same_age boolean, source text, verified boolean, taken_at date,
  tries integer, season integer)
language plpgsql stable security invoker
set search_path = ''
as $$
begin
  if coalesce(cardinality(player_ids), 0) > 4 then
    raise exception 'Four players can be compared.' using errcode = 'PT400';
  end if;
  return query
    select who.id, p.metric, p.label, p.unit, k.decimals, coalesce(k.lower_is_better, p.metric in ('era', 'whip', 'bb9')), p.value,
      p.percentile, p.n, p.class, p."position", p.same_age, p.source, p.verified, p.taken_at, p.tries, p.season
    from (select distinct u.id from unnest(player_ids) as u (id)) as who
    cross join lateral public.player_percentiles(who.id) with ordinality as p
    left join public.measurement_kinds as k on k.kind = p.metric
    order by p.ordinality, who.id;
end
$$;
revoke all on function public.compare_players(uuid[]) from public, anon, authenticated;
grant execute on function public.compare_players(uuid[]) to authenticated;

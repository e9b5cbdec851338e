-- As in 20261123060100, with two facts that the page must not guess. pitcher: as what the run has rated the player, whose position
-- may have changed since. verified: a run takes measurements only if somebody has verified them or they are from the scorebook, also
-- those whose source is the player; of the other parts, only the height is the player's own word. Only measurements have a taken_at.
create or replace function private.rated_player(run uuid, player uuid, weights jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('name', who.full_name, 'positions', p.positions, 'class', p.grad_year, 'state', p.state,
    'team', private.public_team(p.user_id), 'pitcher', r.pitcher, 'parts', (
      select jsonb_agg(case when jsonb_typeof(a.part) = 'object' then a.part || jsonb_build_object('weight', w.weights[a.n],
        'points', round((10 * w.weights[a.n] * r.counts[a.n] * r.scores[a.n] / nullif(total.counted, 0))::numeric, 2),
        'verified', a.part ? 'taken_at' or coalesce(a.part ->> 'source', 'self') <> 'self') end order by a.n)
      from jsonb_array_elements(r.parts) with ordinality as a (part, n)))
  from public.player_ratings as r
  join public.players as p on p.user_id = r.player_id join public.profiles as who on who.id = r.player_id
  cross join lateral (select private.weights_of(rated_player.weights, case when r.pitcher then 'pitcher' else 'hitter' end) as weights) as w
  cross join lateral (select sum(u.weight * u.counts) as counted from unnest(w.weights, r.counts) as u (weight, counts)) as total
  where r.run_id = run and r.player_id = player
$$;

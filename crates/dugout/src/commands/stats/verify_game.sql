select jsonb_build_object(
  'game', to_jsonb(g),
  'lineups', (
    select coalesce(jsonb_agg(jsonb_build_object('athlete', l.athlete_id, 'side', l.side, 'jersey', l.jersey,
      'order', l.bat_order, 'position', l.position) order by l.side, l.bat_order, l.athlete_id), '[]')
    from public.lineups as l where l.game_id = g.id),
  'log', (
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'record', p.record, 'replaces', p.replaces, 'after', p.after)
      order by p.seq), '[]')
    from public.plays as p where p.game_id = g.id),
  'state', jsonb_build_array(to_jsonb(g) - 'id'),
  'current', (
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'outcome', p.outcome) order by p.ord), '[]')
    from public.plays as p where p.game_id = g.id and p.ord is not null),
  'score', (select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.line_scores as line where line.game_id = g.id),
  'batting', (select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_batting as line where line.game_id = g.id),
  'pitching', (select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_pitching as line where line.game_id = g.id),
  'fielding', (select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_fielding as line where line.game_id = g.id))
from public.games as g
where g.id = ($1::text)::uuid

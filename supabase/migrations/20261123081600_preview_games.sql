-- Previews of shared game pages: teams, score and date, as anon sees them.
create or replace function public.page_meta(path text) returns jsonb
language sql stable security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'title', p.full_name,
    'type', 'profile',
    'description', concat_ws(' · ',
      case p.role when 'player' then 'Player' when 'coach' then 'Coach' when 'scout' then 'Scout' when 'fan' then 'Fan' end,
      nullif(array_to_string(y.positions, ', '), ''),
      'Class of ' || y.grad_year))
  from public.profiles as p
  left join public.players as y on y.user_id = p.id and p.role = 'player'
  where p.full_name <> ''
    and p.id = substring(page_meta.path from '^/player/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?$')::uuid
  union all
  select jsonb_build_object(
    'title', g.visitor_name || ' at ' || g.home_name,
    'type', 'website',
    'description', concat_ws(' · ',
      case g.status
        when 'final' then format('Final %s–%s', g.visitor_runs, g.home_runs)
        when 'live' then format('Live %s–%s', g.visitor_runs, g.home_runs)
      end,
      to_char(g.played_on, 'FMMonth FMDD, YYYY')))
  from public.games as g
  where g.id = substring(page_meta.path from '^/games/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?$')::uuid
$$;

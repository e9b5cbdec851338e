-- The head of a shared page that the server renders, for chats and search engines that run no scripts. Runs as anon
-- under the tables' policies, so a preview shows only what a visitor of the page sees: hidden, suspended and missing
-- users look the same. Previews are copied and stored elsewhere, so they contain no school, town or grades.
create function public.page_meta(path text) returns jsonb
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
$$;
revoke all on function public.page_meta(text) from public, anon, authenticated;
grant execute on function public.page_meta(text) to anon;

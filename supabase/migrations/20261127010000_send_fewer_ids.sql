-- The app no longer sends lists of ids: search results bring the photo, and one function returns the players who keep a board.

-- As in 20261123040100, with the photo. The index contains only profiles that every user may see.
create or replace function private.player_card(id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('id', p.id, 'name', p.full_name, 'photo', p.photo, 'positions', w.positions, 'class', w.grad_year,
    'state', w.state, 'bats', w.bats, 'throws', w.throws, 'height', w.height_in,
    'team', private.public_team(p.id),
    'numbers', coalesce((
      select jsonb_agg(jsonb_build_object('metric', shown.metric, 'label', shown.label, 'unit', shown.unit,
        'decimals', shown.decimals, 'value', shown.value, 'source', shown.source, 'verified', shown.verified) order by shown.place)
      from (
        select k.kind as metric, k.label, k.unit, k.decimals, n.value, n.source, n.verified, wanted.place
        from unnest(case w.position_group
          when 'P' then array['fastball_max', 'spin_rate', 'sixty_yard_dash']
          when 'C' then array['sixty_yard_dash', 'exit_velocity_max', 'pop_time']
          when 'OF' then array['sixty_yard_dash', 'exit_velocity_max', 'outfield_velocity']
          else array['sixty_yard_dash', 'exit_velocity_max', 'infield_velocity'] end) with ordinality as wanted (kind, place)
        join public.measurement_kinds as k on k.kind = wanted.kind and k.active
        join public.player_numbers as n on n.player_id = p.id and n.metric = k.kind
      ) as shown), '[]'))
  from public.profiles as p join public.players as w on w.user_id = p.id
  where p.id = player_card.id
$$;

-- The caller, as a player, and the caller's wards who are players.
create function public.kept_players()
returns table (player_id uuid, full_name text, state text, grad_year integer, position_group text)
language sql stable
set search_path = ''
as $$
  select w.user_id, p.full_name, w.state, w.grad_year, w.position_group
  from public.players as w join public.profiles as p on p.id = w.user_id
  where w.user_id = (select auth.uid()) or w.user_id in (select private.wards())
$$;
revoke all on function public.kept_players() from public, anon, authenticated;
grant execute on function public.kept_players() to authenticated;

-- A newsroom asks for the drafts that it may read, whatever its teams are.
create index articles_drafts_idx on public.articles (updated_at desc) where status = 'draft';

-- As in 20261122100800, with what scorebooks know about a player.
create or replace function public.export_my_data(ward_id uuid default null) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.account_of(ward_id);
  kept record;
  rows jsonb;
  everything jsonb;
begin
  select jsonb_build_object('account', jsonb_build_object('id', a.id, 'email', a.email, 'phone', a.phone,
      'created_at', a.created_at, 'last_sign_in_at', a.last_sign_in_at, 'metadata', a.raw_user_meta_data))
  into everything from auth.users as a where a.id = person;
  for kept in
    select * from (values
      ('users', 'id'), ('profiles', 'id'), ('birth_dates', 'user_id'), ('guardianships', 'ward_id'), ('players', 'user_id'),
      ('coaches', 'user_id'), ('scouts', 'user_id'), ('measurements', 'player_id'), ('batting_lines', 'player_id'),
      ('pitching_lines', 'player_id'), ('athlete_identities', 'user_id'), ('player_academics', 'user_id'), ('videos', 'player_id'), ('commitments', 'player_id'), ('player_numbers', 'player_id'),
      ('follows', 'follower_id'), ('team_members', 'user_id'), ('coach_vouches', 'coach_id'), ('scout_notes', 'scout_id'), ('watchlists', 'owner_id'),
      ('notification_preferences', 'user_id'), ('memberships', 'user_id'), ('token_ledger', 'user_id'),
      ('referral_codes', 'owner_id'), ('referral_analytics', 'converted_user_id'), ('page_views', 'user_id'),
      ('user_sessions', 'user_id'), ('contact_messages', 'user_id'), ('reports', 'reporter_id'), ('suspensions', 'user_id')
    ) as kept (name, owner)
  loop
    -- What a minor tells us of others, perhaps of the guardian, the guardian does not read.
    continue when person <> auth.uid() and kept.name in ('reports', 'contact_messages');
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I as t where t.%I = $1',
      kept.name, kept.owner) into rows using person;
    if person <> auth.uid() and kept.name = 'guardianships' then
      -- Nor whom else the minor has asked.
      select coalesce(jsonb_agg(case when g ->> 'guardian_id' = auth.uid()::text then g else g - 'invited_email' end), '[]')
      into rows from jsonb_array_elements(rows) as g;
    end if;
    everything := everything || jsonb_build_object(kept.name, rows);
  end loop;
  return everything || jsonb_build_object(
    'watchlist_players', (
      select coalesce(jsonb_agg(to_jsonb(wp)), '[]')
      from public.watchlist_players as wp join public.watchlists as w on w.id = wp.watchlist_id
      where w.owner_id = person),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_used_at', s.updated_at,
        'user_agent', s.user_agent, 'ip', host(s.ip))), '[]')
      from auth.sessions as s where s.user_id = person),
    'identities', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
        'created_at', i.created_at)), '[]')
      from auth.identities as i where i.user_id = person),
    'second_factors', (
      select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
        'created_at', f.created_at)), '[]')
      from auth.mfa_factors as f where f.user_id = person),
    'referral_conversions', (
      select coalesce(jsonb_agg(to_jsonb(c)), '[]') from private.referral_conversions as c where c.user_id = person),
    'player_game_batting', (
      select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_batting as line
      join public.athlete_identities as i on i.athlete_id = line.athlete_id where i.user_id = person),
    'player_game_pitching', (
      select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_pitching as line
      join public.athlete_identities as i on i.athlete_id = line.athlete_id where i.user_id = person),
    'player_game_fielding', (
      select coalesce(jsonb_agg(to_jsonb(line)), '[]') from public.player_game_fielding as line
      join public.athlete_identities as i on i.athlete_id = line.athlete_id where i.user_id = person),
    'guardian_of', (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from public.guardianships as g where g.guardian_id = person),
    'exported_at', now());
end
$$;

-- A coach chooses the league's rules with the game: re-entry, courtesy runner, run rule, runner of extra innings, time limit.
drop function public.create_game(uuid, text, boolean, date, timestamptz, boolean, integer, boolean, text);
create function public.create_game(team_id uuid, opponent text, is_home boolean, played_on date,
  starts_at timestamptz default null, is_public boolean default false, innings integer default 7,
  uses_dh boolean default false, place text default null, reentry boolean default false, courtesy_runner boolean default false,
  run_rule text default null, extra_runner integer default null, time_limit integer default null)
returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  team public.teams;
  season uuid;
  game uuid;
begin
  perform private.require_second_factor();
  select t.* into team from public.teams as t
  where t.id = create_game.team_id and t.id in (select private.coached_teams());
  if team.id is null then
    raise exception 'You are not a coach of this team.' using errcode = '42501';
  elsif team.vetted and not private.is_verified_coach() then
    raise exception 'Only verified coaches schedule games of this team.' using errcode = '42501',
      hint = 'Players under 18 can be on it. Ask an admin, or two verified coaches, to verify you.';
  end if;
  -- One after the other, so that the count holds and one season is made.
  perform from public.teams as t where t.id = team.id for update;
  if (select count(*) from public.games as g where g.owner_team_id = team.id and g.created_at > now() - interval '1 day') >= 200 then
    raise exception 'Two hundred games a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  insert into public.seasons (league_id, team_id, year)
  values (team.league_id, case when team.league_id is null then team.id end, extract(year from create_game.played_on))
  on conflict on constraint seasons_once_key do nothing;
  select s.id into season from public.seasons as s
  where (s.league_id = team.league_id or (team.league_id is null and s.team_id = team.id))
    and s.year = extract(year from create_game.played_on) and s.name = '';
  insert into public.games (season_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on,
    starts_at, is_public, innings, uses_dh, place, reentry, courtesy_runner, run_rule, extra_runner, time_limit, created_by)
  values (season, team.id, case when not create_game.is_home then team.id end, case when create_game.is_home then team.id end,
    case when create_game.is_home then btrim(opponent) else team.name end,
    case when create_game.is_home then team.name else btrim(opponent) end,
    create_game.played_on, create_game.starts_at, create_game.is_public, create_game.innings, create_game.uses_dh,
    nullif(btrim(create_game.place), ''), create_game.reentry, create_game.courtesy_runner, create_game.run_rule,
    create_game.extra_runner, create_game.time_limit, uid)
  returning id into game;
  return game;
end
$$;
revoke all on function public.create_game(uuid, text, boolean, date, timestamptz, boolean, integer, boolean, text, boolean, boolean,
  text, integer, integer) from public, anon, authenticated;
grant execute on function public.create_game(uuid, text, boolean, date, timestamptz, boolean, integer, boolean, text, boolean, boolean,
  text, integer, integer) to authenticated;

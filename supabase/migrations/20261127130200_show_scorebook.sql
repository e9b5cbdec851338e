-- What a player's profile shows of the scorebook. These functions run as the caller: the policies of identities, games, teams and
-- plays decide what is read, so a hidden player and an unknown one have the same empty answer.

-- Profiles mark the seasons of teams whose name no verified coach wrote.
grant select (vetted) on table public.teams to anon, authenticated;

create function public.scorebook_of(player uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  with mine as materialized (
    select i.athlete_id from public.athlete_identities as i where i.user_id = scorebook_of.player
  ), played as materialized (
    -- Both kinds of lines of a game have the same side.
    select b.game_id, b.side from public.player_game_batting as b join mine on mine.athlete_id = b.athlete_id
    union
    select p.game_id, p.side from public.player_game_pitching as p join mine on mine.athlete_id = p.athlete_id
  ), last as materialized (
    select g.id, g.played_on, g.number, g.visitor_name, g.home_name, g.visitor_runs, g.home_runs, l.side
    from played as l join public.games as g on g.id = l.game_id
    where g.status = 'final' and g.is_public order by g.played_on desc, g.number desc, g.id limit 20
  )
  select jsonb_build_object(
    'batting', (
      select coalesce(jsonb_agg(jsonb_build_object('season', s.year, 'name', s.name, 'team_id', t.id, 'team', t.name, 'vetted', t.vetted,
        'g', b.g, 'pa', b.pa, 'ab', b.ab, 'r', b.r, 'h', b.h, 'doubles', b.doubles, 'triples', b.triples, 'hr', b.hr, 'rbi', b.rbi,
        'bb', b.bb, 'so', b.so, 'hbp', b.hbp, 'sf', b.sf, 'sb', b.sb, 'cs', b.cs) order by s.year desc, b.pa desc, t.id), '[]')
      from mine join public.player_season_batting as b on b.athlete_id = mine.athlete_id
      join public.seasons as s on s.id = b.season_id join public.teams as t on t.id = b.team_id where b.pa > 0),
    'pitching', (
      select coalesce(jsonb_agg(jsonb_build_object('season', s.year, 'name', s.name, 'team_id', t.id, 'team', t.name, 'vetted', t.vetted,
        'g', p.g, 'gs', p.gs, 'w', p.w, 'l', p.l, 'sv', p.sv, 'outs', p.outs, 'bfp', p.bfp, 'h', p.h, 'r', p.r, 'er', p.er, 'hr', p.hr,
        'bb', p.bb, 'so', p.so) order by s.year desc, p.outs desc, t.id), '[]')
      from mine join public.player_season_pitching as p on p.athlete_id = mine.athlete_id
      join public.seasons as s on s.id = p.season_id join public.teams as t on t.id = p.team_id),
    'games', (
      select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'played_on', g.played_on, 'home', g.side = 1,
        'opponent', case g.side when 0 then g.home_name else g.visitor_name end,
        'runs', case g.side when 0 then g.visitor_runs else g.home_runs end,
        'allowed', case g.side when 0 then g.home_runs else g.visitor_runs end,
        'batting', (select jsonb_build_object('pa', b.pa, 'ab', b.ab, 'r', b.r, 'h', b.h, 'doubles', b.doubles, 'triples', b.triples,
            'hr', b.hr, 'rbi', b.rbi, 'bb', b.bb, 'so', b.so, 'sb', b.sb)
          from mine join public.player_game_batting as b on b.athlete_id = mine.athlete_id where b.game_id = g.id and b.pa > 0),
        'pitching', (select jsonb_build_object('outs', p.outs, 'h', p.h, 'r', p.r, 'er', p.er, 'bb', p.bb, 'so', p.so, 'w', p.w, 'l', p.l,
            'sv', p.sv, 'pitches', p.pitches)
          from mine join public.player_game_pitching as p on p.athlete_id = mine.athlete_id where p.game_id = g.id))
        order by g.played_on desc, g.number desc, g.id), '[]')
      from last as g))
$$;
revoke all on function public.scorebook_of(uuid) from public, anon, authenticated;
grant execute on function public.scorebook_of(uuid) to anon, authenticated;

-- The player's plate appearances of the last 30 public final games, for a spray chart: records whose notation has a field's zone.
create function public.batted_balls_of(player uuid)
returns table (id uuid, record text, outcome jsonb)
language sql stable
set search_path = ''
as $$
  with mine as materialized (
    select i.athlete_id from public.athlete_identities as i where i.user_id = batted_balls_of.player
  ), last as materialized (
    select g.id, g.played_on, g.number
    from mine join public.player_game_batting as b on b.athlete_id = mine.athlete_id
    join public.games as g on g.id = b.game_id
    where g.status = 'final' and g.is_public and b.pa > 0 order by g.played_on desc, g.number desc, g.id limit 30
  )
  select p.id, p.record, jsonb_build_object('batting', p.outcome -> 'batting', 'batter', p.outcome -> 'batter', 'turn', p.outcome -> 'turn')
  from last join public.plays as p on p.game_id = last.id and p.ord is not null
  where p.record like 'play,%/%' and (p.outcome ->> 'batter')::uuid in (select mine.athlete_id from mine)
    and jsonb_typeof(p.outcome -> 'turn') = 'object'
  order by last.played_on desc, last.number desc, last.id, p.ord
$$;
revoke all on function public.batted_balls_of(uuid) from public, anon, authenticated;
grant execute on function public.batted_balls_of(uuid) to anon, authenticated;

-- What the function score does in the database. These functions are in private, so that no request of the data API can
-- call them with numbers that were not computed from plays.

-- The game, locked against a second save at the same time. Only coaches of its team score it.
create function private.game_to_score(game uuid) returns public.games
language plpgsql
set search_path = ''
as $$
declare
  scored public.games;
begin
  perform private.caller();
  perform private.require_second_factor();
  select g.* into scored from public.games as g
  where g.id = game_to_score.game and g.owner_team_id in (select private.coached_teams())
  for update;
  if scored.id is null then
    raise exception 'Only the coaches of the team score this game.' using errcode = '42501';
  elsif not private.is_verified_coach()
    and exists (select from public.teams as t where t.id = scored.owner_team_id and t.vetted)
  then
    raise exception 'Only verified coaches score games of this team.' using errcode = '42501';
  elsif scored.status = 'cancelled' then
    raise exception 'This game is cancelled.' using errcode = 'PT409';
  end if;
  return scored;
end
$$;
revoke all on function private.game_to_score(uuid) from public;

-- Takes the scorer's lock, or says in `held` who has it. Returns all that the replay needs.
create function private.begin_scoring(game uuid, device uuid, takeover boolean) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  scored constant public.games := private.game_to_score(game);
  held private.scorer_locks;
begin
  select l.* into held from private.scorer_locks as l where l.game_id = scored.id;
  if not takeover and (held.user_id, held.device) is distinct from (uid, begin_scoring.device)
    and held.renewed_at > now() - interval '2 minutes'
  then
    return jsonb_build_object('held', jsonb_build_object('since', held.taken_at, 'mine', held.user_id = uid,
      'name', (select p.full_name from public.profiles as p where p.id = held.user_id)));
  end if;
  insert into private.scorer_locks as l (game_id, user_id, device) values (scored.id, uid, begin_scoring.device)
  on conflict (game_id) do update
  set user_id = excluded.user_id, device = excluded.device, renewed_at = now(),
    taken_at = case when (l.user_id, l.device) = (excluded.user_id, excluded.device) then l.taken_at else now() end;
  return jsonb_build_object(
    'game', to_jsonb(scored),
    'lineups', (
      select coalesce(jsonb_agg(jsonb_build_object('athlete', l.athlete_id, 'side', l.side, 'jersey', l.jersey,
        'order', l.bat_order, 'position', l.position) order by l.side, l.bat_order, l.athlete_id), '[]')
      from public.lineups as l where l.game_id = scored.id),
    'log', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'record', p.record, 'replaces', p.replaces, 'after', p.after)
        order by p.seq), '[]')
      from public.plays as p where p.game_id = scored.id));
end
$$;
revoke all on function private.begin_scoring(uuid, uuid, boolean) from public;
grant execute on function private.begin_scoring(uuid, uuid, boolean) to authenticated;

create function private.end_scoring(game uuid, device uuid) returns void
language sql security definer
set search_path = ''
as $$
  delete from private.scorer_locks as l
  where l.game_id = end_scoring.game and l.device = end_scoring.device and l.user_id = auth.uid()
$$;
revoke all on function private.end_scoring(uuid, uuid) from public;
grant execute on function private.end_scoring(uuid, uuid) to authenticated;

-- The lineup that a scorer sends: [{"athlete", "side", "jersey", "order", "position", "name"}].
create function private.lineup_entries(entries jsonb)
returns table (athlete uuid, side smallint, jersey text, bat_order smallint, field_position smallint, full_name text)
language sql immutable
set search_path = ''
as $$
  select e.athlete, e.side, e.jersey, e."order", e."position", nullif(btrim(e.name), '')
  from jsonb_to_recordset(entries) as e (athlete uuid, side smallint, jersey text, "order" smallint, "position" smallint,
    name text)
$$;
revoke all on function private.lineup_entries(jsonb) from public;

-- Replaces the lineups of a game. An unknown athlete with a name becomes a guest of the team.
create function private.save_lineups(scored public.games, entries jsonb) returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into public.athletes (id, initial, owner_team_id)
  -- A guest known only by the number has no initial.
  select e.athlete, case when e.full_name ~ '^No\. [0-9]+$' then '' else upper(left(e.full_name, 1)) end, scored.owner_team_id
  from private.lineup_entries(entries) as e where e.full_name is not null
  on conflict (id) do nothing;
  insert into public.athlete_identities (athlete_id, full_name)
  select a.id, e.full_name
  from private.lineup_entries(entries) as e join public.athletes as a on a.id = e.athlete
  where a.owner_team_id = scored.owner_team_id and e.full_name is not null
  on conflict (athlete_id) do update set full_name = excluded.full_name
  where athlete_identities.user_id is null;
  if exists (
    select from private.lineup_entries(entries) as e
    where not exists (select from public.athletes as a where a.id = e.athlete and a.owner_team_id = scored.owner_team_id)
      and not exists (select from public.rosters as r where r.athlete_id = e.athlete and r.team_id = scored.owner_team_id))
  then
    raise exception 'A player of the lineup is neither on your roster nor named.' using errcode = 'PT400';
  end if;
  delete from public.lineups as l where l.game_id = scored.id;
  insert into public.lineups (game_id, athlete_id, side, jersey, bat_order, position)
  select scored.id, e.athlete, e.side, e.jersey, e.bat_order, e.field_position from private.lineup_entries(entries) as e;
end
$$;
revoke all on function private.save_lineups(public.games, jsonb) from public;

-- Appends plays, and sets the place and the outcome of all records that count: `current` is [{"id", "outcome"}] in order.
create function private.save_plays(scored public.games, entries jsonb, current jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  last constant integer := coalesce((select max(p.seq) from public.plays as p where p.game_id = scored.id), 0);
begin
  insert into public.plays (game_id, id, seq, record, replaces, after, created_by)
  select scored.id, (e.value ->> 'id')::uuid, last + e.ordinality, e.value ->> 'record', (e.value ->> 'replaces')::uuid,
    (e.value ->> 'after')::uuid, auth.uid()
  from jsonb_array_elements(entries) with ordinality as e (value, ordinality);
  update public.plays as p set ord = null, outcome = null
  where p.game_id = scored.id and p.ord is not null
    and not exists (select from jsonb_array_elements(current) as c where (c ->> 'id')::uuid = p.id);
  update public.plays as p set ord = c.ordinality, outcome = nullif(c.value -> 'outcome', 'null')
  from jsonb_array_elements(current) with ordinality as c (value, ordinality)
  where p.game_id = scored.id and p.id = (c.value ->> 'id')::uuid
    and (p.ord, p.outcome) is distinct from (c.ordinality, nullif(c.value -> 'outcome', 'null'));
  delete from public.pitches as t
  where t.game_id = scored.id
    and not exists (select from public.plays as p where p.game_id = t.game_id and p.id = t.play_id and p.ord is not null);
  insert into public.pitches (game_id, play_id, number, call)
  select p.game_id, p.id, l.ordinality, l.letter
  from public.plays as p,
    regexp_split_to_table(regexp_replace(split_part(p.record, ',', 6), '[^A-MO-Z]', '', 'g'), '') with ordinality as l (letter, ordinality)
  where p.game_id = scored.id and p.ord is not null and p.record like 'play,%' and l.letter <> ''
  on conflict do nothing;
end
$$;
revoke all on function private.save_plays(public.games, jsonb, jsonb) from public;

create function private.save_lines(scored public.games, lines jsonb) returns void
language sql
set search_path = ''
as $$
  delete from public.line_scores as l where l.game_id = scored.id;
  delete from public.player_game_batting as l where l.game_id = scored.id;
  delete from public.player_game_pitching as l where l.game_id = scored.id;
  delete from public.player_game_fielding as l where l.game_id = scored.id;
  insert into public.line_scores select l.* from jsonb_populate_recordset(null::public.line_scores, lines -> 'score') as l;
  insert into public.player_game_batting
  select l.* from jsonb_populate_recordset(null::public.player_game_batting, lines -> 'batting') as l;
  insert into public.player_game_pitching
  select l.* from jsonb_populate_recordset(null::public.player_game_pitching, lines -> 'pitching') as l;
  insert into public.player_game_fielding
  select l.* from jsonb_populate_recordset(null::public.player_game_fielding, lines -> 'fielding') as l;
$$;
revoke all on function private.save_lines(public.games, jsonb) from public;

-- The season lines of a team: sums of its public, final games.
create function private.sum_season(season uuid, team uuid) returns void
language sql
set search_path = ''
as $$
  delete from public.player_season_batting as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_pitching as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_fielding as s where s.season_id = season and s.team_id = team;
  insert into public.player_season_batting (season_id, athlete_id, team_id, g, pa, ab, r, h, doubles, triples, hr, rbi, sb, cs,
    bb, so, ibb, hbp, sh, sf, gidp)
  select season, l.athlete_id, team, count(*), sum(pa), sum(ab), sum(r), sum(h), sum(doubles), sum(triples), sum(hr), sum(rbi),
    sum(sb), sum(cs), sum(bb), sum(so), sum(ibb), sum(hbp), sum(sh), sum(sf), sum(gidp)
  from public.player_game_batting as l
  join public.games as g on g.id = l.game_id and team = case l.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by l.athlete_id;
  insert into public.player_season_pitching (season_id, athlete_id, team_id, g, gs, w, l, sv, hld, bs, cg, sho, outs, bfp, h, r,
    er, hr, bb, so, ibb, wp, hbp, bk)
  select season, p.athlete_id, team, count(*), sum(gs), sum(w), sum(p.l), sum(sv), sum(hld), sum(bs), sum(cg), sum(sho), sum(p.outs),
    sum(bfp), sum(h), sum(r), sum(er), sum(hr), sum(bb), sum(so), sum(ibb), sum(wp), sum(hbp), sum(bk)
  from public.player_game_pitching as p
  join public.games as g on g.id = p.game_id and team = case p.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by p.athlete_id;
  insert into public.player_season_fielding (season_id, athlete_id, team_id, position, g, gs, outs, po, a, e, dp, pb, wp, sb, cs)
  select season, f.athlete_id, team, f.position, count(*), sum(gs), sum(f.outs), sum(po), sum(f.a), sum(e), sum(dp), sum(pb),
    sum(wp), sum(sb), sum(cs)
  from public.player_game_fielding as f
  join public.games as g on g.id = f.game_id and team = case f.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by f.athlete_id, f.position;
$$;
revoke all on function private.sum_season(uuid, uuid) from public;

-- Saves what the replay computed. `entry` is {"lineups", "plays", "current", "lines", "state"}; lineups are null if they stay.
-- The state has the columns of games that change.
create function private.save_scoring(game uuid, device uuid, entry jsonb) returns bigint
language plpgsql security definer
set search_path = ''
as $$
declare
  scored constant public.games := private.game_to_score(game);
  state constant public.games := jsonb_populate_record(scored, entry -> 'state');
begin
  if not exists (
    select from private.scorer_locks as l
    where l.game_id = scored.id and l.device = save_scoring.device and l.user_id = auth.uid())
  then
    raise exception 'Another device scores this game.' using errcode = 'PT409';
  end if;
  if jsonb_typeof(entry -> 'lineups') = 'array' then
    perform private.save_lineups(scored, entry -> 'lineups');
  end if;
  perform private.save_plays(scored, entry -> 'plays', entry -> 'current');
  perform private.save_lines(scored, entry -> 'lines');
  update public.games as g
  set status = state.status, ended = state.ended, visitor_runs = state.visitor_runs, home_runs = state.home_runs,
    inning = state.inning, batting = state.batting, outs = state.outs, balls = state.balls, strikes = state.strikes,
    on_first = state.on_first, on_second = state.on_second, on_third = state.on_third, batter_id = state.batter_id,
    pitcher_id = state.pitcher_id, revision = g.revision + 1
  where g.id = scored.id;
  if 'final' in (scored.status, state.status) and scored.season_id is not null then
    perform private.sum_season(scored.season_id, scored.owner_team_id);
  end if;
  if scored.status = 'final' and (state.status <> 'final' or entry ->> 'reason' is not null) then
    perform private.audit('game_reopened', scored.id::text, entry ->> 'reason');
  end if;
  return scored.revision + 1;
end
$$;
revoke all on function private.save_scoring(uuid, uuid, jsonb) from public;
grant execute on function private.save_scoring(uuid, uuid, jsonb) to authenticated;

-- Season lines also follow a final game that becomes public or private, or whose season changes.
create function private.keep_season() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if old.season_id is not null then
    perform private.sum_season(old.season_id, old.owner_team_id);
  end if;
  return null;
end
$$;
revoke all on function private.keep_season() from public;
create trigger keep_season after update of is_public on public.games
  for each row when (old.is_public is distinct from new.is_public and new.status = 'final')
  execute function private.keep_season();

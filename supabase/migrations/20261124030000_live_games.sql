-- Watchers see each pitch. The row of the game has the pitches of the unfinished plate appearance; plays have those of finished
-- ones.

-- In Retrosheet's letters. Empty after the plate appearance, and if pitches are not recorded.
alter table public.games add column pitches text not null default ''
  check (pitches ~ '^[A-Z0-9+*.>^]{0,200}$');
grant select (pitches) on table public.games to anon, authenticated;

-- Raises an error unless this device of the caller holds the game's scoring lock.
create function private.require_lock(scored public.games, device uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if not exists (
    select from private.scorer_locks as l
    where l.game_id = scored.id and l.device = require_lock.device and l.user_id = auth.uid())
  then
    raise exception 'Another device scores this game.' using errcode = 'PT409';
  end if;
end
$$;
revoke all on function private.require_lock(public.games, uuid) from public;

-- Saves the pitches of an unfinished plate appearance: `turn` is {"pitches", "balls", "strikes"}. The revision counts plays, so
-- it does not change.
create function private.save_turn(game uuid, device uuid, turn jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  scored constant public.games := private.game_to_score(game);
begin
  perform private.require_lock(scored, save_turn.device);
  update public.games as g
  set pitches = turn ->> 'pitches', balls = (turn ->> 'balls')::smallint, strikes = (turn ->> 'strikes')::smallint
  where g.id = scored.id;
end
$$;
revoke all on function private.save_turn(uuid, uuid, jsonb) from public;
grant execute on function private.save_turn(uuid, uuid, jsonb) to authenticated;

create or replace function private.save_scoring(game uuid, device uuid, entry jsonb) returns bigint
language plpgsql security definer
set search_path = ''
as $$
declare
  scored constant public.games := private.game_to_score(game);
  state constant public.games := jsonb_populate_record(scored, entry -> 'state');
begin
  perform private.require_lock(scored, save_scoring.device);
  if jsonb_typeof(entry -> 'lineups') = 'array' then
    perform private.save_lineups(scored, entry -> 'lineups');
  end if;
  perform private.save_plays(scored, entry -> 'plays', entry -> 'current');
  perform private.save_lines(scored, entry -> 'lines');
  update public.games as g
  set status = state.status, ended = state.ended, visitor_runs = state.visitor_runs, home_runs = state.home_runs,
    inning = state.inning, batting = state.batting, outs = state.outs, balls = state.balls, strikes = state.strikes,
    pitches = state.pitches, on_first = state.on_first, on_second = state.on_second, on_third = state.on_third,
    batter_id = state.batter_id, pitcher_id = state.pitcher_id, revision = g.revision + 1
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

-- For `dugout stats verify --repair`: saves what the replay computes from the stored plays. `entry` is as in save_scoring, except
-- that the lines are beside "current" and the state is a list of one. Returns false if the game was scored meanwhile. Only the
-- owner of the database may call it.
create function private.rebuild_game(game uuid, known bigint, entry jsonb) returns boolean
language plpgsql
set search_path = ''
as $$
declare
  scored public.games;
  state public.games;
begin
  select g.* into scored from public.games as g where g.id = rebuild_game.game and g.revision = rebuild_game.known for update;
  if scored.id is null then
    return false;
  end if;
  state := jsonb_populate_record(scored, entry -> 'state' -> 0);
  perform private.save_plays(scored, '[]', entry -> 'current');
  perform private.save_lines(scored, entry);
  update public.games as g
  set status = state.status, ended = state.ended, visitor_runs = state.visitor_runs, home_runs = state.home_runs,
    inning = state.inning, batting = state.batting, outs = state.outs, balls = state.balls, strikes = state.strikes,
    pitches = state.pitches, on_first = state.on_first, on_second = state.on_second, on_third = state.on_third,
    batter_id = state.batter_id, pitcher_id = state.pitcher_id, revision = g.revision + 1
  where g.id = scored.id;
  return true;
end
$$;
revoke all on function private.rebuild_game(uuid, bigint, jsonb) from public;

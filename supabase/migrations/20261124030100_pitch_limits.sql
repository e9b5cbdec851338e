-- The scorebook warns when a pitcher reaches the limit of 20261124010000 or still has to rest. A coach can override a warning
-- with a reason.

-- The youngest and the oldest age with the same limit; null for an open end.
create function private.pitch_ages(age integer, out youngest integer, out oldest integer)
language sql immutable
set search_path = ''
as $$
  select nullif(min(a), 0), nullif(max(a), 19) from generate_series(0, 19) as a
  where private.pitch_limit(a) = private.pitch_limit(pitch_ages.age)
$$;
revoke all on function private.pitch_ages(integer) from public;

-- For users who may score a game: each player of their roster and each guest in the lineup, with the daily limit, the pitches in
-- other games of the same day, and when the rest from the seven days before is over. Games with other teams count, too. If an
-- outing has no recorded pitches, `uncounted` is true, and the rest follows from the other outings. The function reads birth
-- dates, but returns only the range of ages that share the limit.
create function public.game_arms(game uuid)
returns table (athlete_id uuid, day_limit integer, youngest integer, oldest integer, thrown_today integer, ready_on date,
  rested_pitches integer, uncounted boolean)
language sql stable security definer
set search_path = ''
as $$
  with scored as materialized (
    select g.id, g.owner_team_id, g.played_on from public.games as g
    where g.id = game_arms.game and g.owner_team_id in (select private.scoring_teams()) and private.is_own_app()
  ), pitchers as materialized (
    select i.athlete_id, private.age(i.user_id) as age
    from public.athlete_identities as i
    where i.athlete_id in (
        select r.athlete_id from public.rosters as r join scored as s on s.owner_team_id = r.team_id where r.left_on is null
        union
        select l.athlete_id from public.lineups as l join scored as s on s.id = l.game_id)
      and (i.user_id is null or i.user_id in (select private.coached_players()))
  ), days as (
    select l.athlete_id, g.played_on, g.played_on = s.played_on as is_today, sum(l.pitches)::integer as pitches,
      bool_and(l.pitches is not null) as is_counted
    from scored as s
    join public.games as g on g.id <> s.id and g.played_on between s.played_on - 7 and s.played_on and g.status in ('live', 'suspended', 'final')
    join public.player_game_pitching as l on l.game_id = g.id and l.athlete_id in (select p.athlete_id from pitchers as p)
    group by l.athlete_id, g.played_on, s.played_on
  ), rested as (
    select p.athlete_id, p.age, d.is_today, d.is_counted, d.pitches,
      case when not d.is_today then private.ready_on(p.age, d.played_on, d.pitches) end as ready_on
    from pitchers as p left join days as d on d.athlete_id = p.athlete_id
  )
  select r.athlete_id, private.pitch_limit(r.age), (private.pitch_ages(r.age)).youngest, (private.pitch_ages(r.age)).oldest,
    coalesce(sum(r.pitches) filter (where r.is_today), 0)::integer, max(r.ready_on),
    (array_agg(r.pitches order by r.ready_on desc) filter (where r.ready_on is not null))[1], coalesce(not bool_and(r.is_counted), false)
  from rested as r
  group by r.athlete_id, r.age
$$;
revoke all on function public.game_arms(uuid) from public, anon, authenticated;
grant execute on function public.game_arms(uuid) to authenticated;

-- Logs that a scorer overrides a rule for a pitcher: the daily limit or the rest. The device makes the id, so that a repeated
-- call is logged once. game_to_score locks the game's row, which serializes concurrent calls.
create function public.override_pitch_limit(id uuid, game uuid, athlete uuid, rule text, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  scored constant public.games := private.game_to_score(game);
  cause constant text := btrim(reason);
begin
  if override_pitch_limit.id is null or rule is null or rule not in ('day_limit', 'rest') then
    raise exception 'Name the override and the rule: day_limit or rest.' using errcode = 'PT400';
  elsif cause is null or char_length(cause) not between 1 and 200 then
    raise exception 'Give a reason of up to 200 characters.' using errcode = 'PT400';
  elsif not exists (select from public.rosters as r where r.team_id = scored.owner_team_id and r.athlete_id = athlete)
    and not exists (select from public.athletes as a where a.owner_team_id = scored.owner_team_id and a.id = athlete)
  then
    raise exception 'This player is not on your team.' using errcode = 'PT404';
  elsif exists (
    select from public.audit_log as l
    where l.subject_id = scored.id::text and l.action = 'pitch_limit_overridden' and l.actor_id = auth.uid()
      and l.detail ->> 'id' = override_pitch_limit.id::text)
  then
    return;
  end if;
  perform private.audit('pitch_limit_overridden', scored.id::text, cause,
    jsonb_build_object('id', override_pitch_limit.id, 'athlete_id', athlete, 'rule', rule));
end
$$;
revoke all on function public.override_pitch_limit(uuid, uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.override_pitch_limit(uuid, uuid, uuid, text, text) to authenticated;

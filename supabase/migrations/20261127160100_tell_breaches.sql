-- The pitchers of the last seven days also have the newest day on which they threw more pitches than the limit of their age, with a
-- game of that day: a coach's Home warns of it even if a shorter outing followed.
drop function private.arms();
create function private.arms()
returns table (athlete_id uuid, user_id uuid, full_name text, played_on date, pitches integer, day_limit integer, ready_on date,
  over_on date, over_pitches integer, over_game uuid)
language sql stable security definer
set search_path = ''
as $$
  with outings as (
    select l.athlete_id, g.played_on, case when bool_and(l.pitches is not null) then sum(l.pitches)::integer end as pitches,
      (array_agg(g.id order by g.starts_at desc nulls last, g.id))[1] as game_id
    from public.games as g
    join public.player_game_pitching as l on l.game_id = g.id
    where case l.side when 0 then g.visitor_team_id else g.home_team_id end in (select private.coached_teams())
      and g.played_on between private.today() - 7 and private.today() and g.status in ('live', 'suspended', 'final')
      and private.is_own_app()
    group by l.athlete_id, g.played_on
  ), rested as (
    select o.*, i.user_id, coalesce(i.full_name, p.full_name) as full_name, private.age(i.user_id) as age
    from outings as o
    join public.athlete_identities as i on i.athlete_id = o.athlete_id
    left join public.profiles as p on p.id = i.user_id
    where i.user_id is null or i.user_id in (select private.coached_players())
  ), breaches as (
    select distinct on (r.athlete_id) r.athlete_id, r.played_on, r.pitches, r.game_id
    from rested as r
    where r.pitches > private.pitch_limit(r.age)
    order by r.athlete_id, r.played_on desc
  )
  select distinct on (r.athlete_id) r.athlete_id, r.user_id, r.full_name, r.played_on, r.pitches, private.pitch_limit(r.age),
    case when bool_and(r.pitches is not null) over days then max(private.ready_on(r.age, r.played_on, r.pitches)) over days end,
    b.played_on, b.pitches, b.game_id
  from rested as r
  left join breaches as b on b.athlete_id = r.athlete_id
  window days as (partition by r.athlete_id)
  order by r.athlete_id, r.played_on desc
$$;
revoke all on function private.arms() from public;
grant execute on function private.arms() to authenticated;

-- The Home screen in one call, because every request costs time on a slow phone connection. home() runs as its caller. The parts
-- that read rows of players bypass row level security and check the visibility of each profile once. With the row policies, every
-- table would scan all profiles: with 120 players that took five times as long, and it grows with the number of players.

-- Whether lists show a profile to the caller. The row policy of profiles allows more: team mates and verified readers can also
-- open the profiles of children, which no list shows.
create function private.sees(person public.profiles) returns boolean
language sql stable
set search_path = ''
as $$
  select person.public_profile and person.shown_from <= private.today()
    or person.id = (select auth.uid()) or person.id in (select private.wards()) or person.id in (select private.coached_players())
    or (select private.is_admin())
$$;
revoke all on function private.sees(public.profiles) from public;

-- As in 20261123070700, with the visibility checked here.
create or replace function public.number_changes(since date, listed boolean default false)
returns table (id uuid, player_id uuid, full_name text, positions text[], grad_year integer, kind text, label text,
  decimals integer, unit text, lower_is_better boolean, was numeric, now numeric, taken_at date, source text, verified boolean)
language sql stable security definer
set search_path = ''
as $$
  with people as materialized (
    select p.id, p.full_name from public.profiles as p
    where not listed and p.id = (select auth.uid()) and private.is_own_app() and not private.is_suspended()
    union all
    select p.id, p.full_name from public.profiles as p
    where listed and p.id in (
        select w.player_id from public.watchlist_players as w join public.watchlists as l on l.id = w.watchlist_id
        where l.owner_id = (select auth.uid()))
      and private.is_own_app() and not private.is_suspended() and private.sees(p)
  ), latest as (
    select distinct on (m.player_id, m.kind) m.*, who.full_name
    from people as who join public.measurements as m on m.player_id = who.id
    where m.taken_at >= since
    order by m.player_id, m.kind, m.taken_at desc, m.created_at desc
  )
  select l.id, l.player_id, l.full_name, y.positions, y.grad_year, l.kind, k.label, k.decimals, l.unit, k.lower_is_better,
    (select m.value from public.measurements as m
     where m.player_id = l.player_id and m.kind = l.kind and (m.taken_at, m.created_at) < (l.taken_at, l.created_at)
     order by m.taken_at desc, m.created_at desc limit 1),
    l.value, l.taken_at, l.source, l.verified_at is not null
  from latest as l
  join public.measurement_kinds as k on k.kind = l.kind
  left join public.players as y on y.user_id = l.player_id
  order by l.taken_at desc, l.created_at desc, l.id
  limit 20
$$;

-- Pitch Smart's table: the maximum number of pitches a day, and the days of rest after a number of pitches, by age. A pitcher of
-- unknown age has no limit here, and needs the rest of the youngest.
-- Source: mlb.com/pitch-smart/pitching-guidelines.
create function private.pitch_limit(age integer) returns integer
language sql immutable
set search_path = ''
as $$
  select case when age <= 8 then 50 when age <= 10 then 75 when age <= 12 then 85 when age <= 16 then 95 when age <= 18 then 105
    when age > 18 then 120 end
$$;
create function private.pitch_rest(age integer, pitches integer) returns integer
language sql immutable
set search_path = ''
as $$
  select case
    when pitches is null then null
    when coalesce(age, 0) <= 14 then case when pitches <= 20 then 0 when pitches <= 35 then 1 when pitches <= 50 then 2 when pitches <= 65 then 3 else 4 end
    when age <= 16 then case when pitches <= 30 then 0 when pitches <= 45 then 1 when pitches <= 60 then 2 when pitches <= 75 then 3 else 4 end
    when age <= 18 then case when pitches <= 30 then 0 when pitches <= 45 then 1 when pitches <= 60 then 2 when pitches <= 80 then 3 else 4 end
    else case when pitches <= 30 then 0 when pitches <= 45 then 1 when pitches <= 60 then 2 when pitches <= 80 then 3 when pitches <= 105 then 4 else 5 end
  end
$$;
-- The first day on which a pitcher may pitch again; null if the pitches are unknown.
create function private.ready_on(age integer, played_on date, pitches integer) returns date
language sql immutable
set search_path = ''
as $$
  select case private.pitch_rest(age, pitches) when 0 then played_on else played_on + private.pitch_rest(age, pitches) + 1 end
$$;
revoke all on function private.pitch_limit(integer), private.pitch_rest(integer, integer), private.ready_on(integer, date, integer) from public;

-- The pitchers of the caller's teams who pitched in the last seven days: the last day with its pitches, and the day when the rest
-- from all outings is over. Some games have no recorded pitches: then the number of that day is null, and so is ready_on. The
-- function reads birth dates, but returns only the daily limit.
create function private.arms()
returns table (athlete_id uuid, user_id uuid, full_name text, played_on date, pitches integer, day_limit integer, ready_on date)
language sql stable security definer
set search_path = ''
as $$
  with outings as (
    select l.athlete_id, g.played_on, case when bool_and(l.pitches is not null) then sum(l.pitches)::integer end as pitches
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
  )
  select distinct on (r.athlete_id) r.athlete_id, r.user_id, r.full_name, r.played_on, r.pitches, private.pitch_limit(r.age),
    case when bool_and(r.pitches is not null) over days then max(private.ready_on(r.age, r.played_on, r.pitches)) over days end
  from rested as r
  window days as (partition by r.athlete_id)
  order by r.athlete_id, r.played_on desc
$$;
revoke all on function private.arms() from public;
grant execute on function private.arms() to authenticated;

-- The six newest measurements, videos and commitments of the players whom the caller follows. Null if the caller follows nobody.
create function private.home_news() returns jsonb
language sql stable security definer
set search_path = ''
as $$
  with followed as materialized (
    select p.id, p.full_name from public.follows as f join public.profiles as p on p.id = f.followed_id
    where f.follower_id = (select auth.uid()) and not f.muted and private.sees(p) and private.is_own_app() and not private.is_suspended()
  ), measured as (
    select m.id, f.id as player_id, f.full_name, 'measurement' as kind, k.label as what, m.value, m.unit, k.decimals, m.verified_at is not null as verified,
      m.taken_at as happened_on, m.created_at
    from followed as f join public.measurements as m on m.player_id = f.id join public.measurement_kinds as k on k.kind = m.kind
    order by m.created_at desc limit 6
  ), filmed as (
    select v.id, f.id, f.full_name, 'video', v.title, null::numeric, '', null::integer, false, v.recorded_on, v.created_at
    from followed as f join public.videos as v on v.player_id = f.id
    order by v.created_at desc limit 6
  ), promised as (
    select c.id, f.id, f.full_name, c.status, c.program, null::numeric, '', null::integer, false, c.committed_on, c.created_at
    from followed as f join public.commitments as c on c.player_id = f.id
    order by c.created_at desc limit 6
  ), latest as (
    select * from measured union all select * from filmed union all select * from promised
    order by created_at desc, id limit 6
  )
  select case when exists (select from public.follows as f where f.follower_id = (select auth.uid()) and not f.muted)
    then (select coalesce(jsonb_agg(to_jsonb(l) order by l.created_at desc, l.id), '[]') from latest as l) end
$$;

-- The up to six players with the most recently verified numbers, each with the newest one. Children are left out, even for
-- readers who may open their profile.
create function private.home_discover() returns jsonb
language sql stable security definer
set search_path = ''
as $$
  with lately as (
    select m.player_id, m.kind, m.value, m.unit, m.taken_at, m.verified_at, p.full_name, y.positions[1] as "position", y.grad_year
    from public.measurements as m
    join public.players as y on y.user_id = m.player_id
    join public.profiles as p on p.id = m.player_id and p.public_profile and p.shown_from <= private.today()
    where m.verified_at is not null and m.player_id <> (select auth.uid())
      and (select private.is_own_app() and not private.is_suspended())
    order by m.verified_at desc limit 60
  ), first as (
    select distinct on (l.player_id) l.* from lately as l order by l.player_id, l.verified_at desc, l.kind
  ), shown as (
    select f.*, k.label, k.decimals from first as f join public.measurement_kinds as k on k.kind = f.kind order by f.verified_at desc, f.player_id limit 6
  )
  select coalesce(jsonb_agg(to_jsonb(s) - 'verified_at' - 'kind' order by s.verified_at desc, s.player_id), '[]') from shown as s
$$;

-- How many numbers of players of the caller's teams wait for verification, and the newest six, each with the previous value.
create function private.home_claims() returns jsonb
language sql stable security definer
set search_path = ''
as $$
  with claimed as materialized (
    select m.* from private.coached_players() as mine (id)
    join public.measurements as m on m.player_id = mine.id and m.verification_asked and m.verified_at is null
    where private.is_own_app()
  ), latest as (
    select m.id, m.player_id, p.full_name, k.label, k.decimals, m.value, m.unit, m.taken_at, m.created_at,
      (select b.value from public.measurements as b
       where b.player_id = m.player_id and b.kind = m.kind and (b.taken_at, b.created_at) < (m.taken_at, m.created_at)
       order by b.taken_at desc, b.created_at desc limit 1) as was
    from (select c.* from claimed as c order by c.created_at desc, c.id limit 6) as m
    join public.profiles as p on p.id = m.player_id
    join public.measurement_kinds as k on k.kind = m.kind
  )
  select jsonb_build_object('waiting', (select count(*) from claimed),
    'latest', (select coalesce(jsonb_agg(to_jsonb(l) order by l.created_at desc, l.id), '[]') from latest as l))
$$;

-- The parts that are missing in the caller's own profile.
create function private.home_missing() returns text[]
language sql stable security definer
set search_path = ''
as $$
  select array_remove(array[
    case when not exists (
      select from public.players as p where p.user_id = me.id and cardinality(p.positions) > 0 and p.grad_year is not null) then 'facts' end,
    case when not exists (select from public.measurements as m where m.player_id = me.id) then 'measurement' end,
    case when not exists (select from public.batting_lines as l where l.player_id = me.id)
      and not exists (select from public.pitching_lines as l where l.player_id = me.id) then 'season' end,
    case when not exists (select from public.videos as v where v.player_id = me.id) then 'video' end], null)
  from (select auth.uid() as id where private.is_own_app()) as me
$$;

-- What a coach has to do: the oldest fifty requests to join a team, the newest six numbers to verify, the count of both, and the
-- pitchers of the last seven days.
create function private.home_coach() returns jsonb
language sql stable security invoker
set search_path = ''
as $$
  with mine as materialized (
    select m.team_id from public.team_members as m
    where m.user_id = (select auth.uid()) and m.role = 'coach' and m.status = 'active'
  ), asking as (
    select m.user_id as id, m.team_id, p.full_name, m.created_at
    from public.team_members as m left join public.profiles as p on p.id = m.user_id
    where m.team_id in (select team_id from mine) and m.role = 'player' and m.status = 'asked'
  ), first as (
    select * from asking order by created_at, id limit 50
  ), claims as materialized (
    select private.home_claims() as claims
  )
  select jsonb_build_object(
    'has_team', exists (select from mine),
    'waiting', (select count(*) from asking) + (c.claims -> 'waiting')::bigint,
    'asking', (select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at, a.id), '[]') from first as a),
    'unverified', c.claims -> 'latest',
    'arms', (select coalesce(jsonb_agg(to_jsonb(a) order by a.ready_on desc nulls first, a.pitches desc nulls first, a.athlete_id), '[]') from private.arms() as a))
  from claims as c
$$;

-- A player's own part of Home: changed numbers, percentiles, missing parts of the profile, and college tasks due within a week.
create function private.home_player() returns jsonb
language sql stable security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'changes', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from public.number_changes((now() at time zone 'utc')::date - 30) as c),
    'percentiles', (
      select coalesce(jsonb_agg(to_jsonb(p)), '[]') from public.player_percentiles((select auth.uid())) as p where p.percentile is not null),
    'missing', to_jsonb(private.home_missing()),
    'due', (
      select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title, 'due_on', t.due_on) order by t.due_on, t.id), '[]')
      from (
        select t.id, t.title, t.due_on from public.college_tasks as t
        where t.player_id = (select auth.uid()) and t.done_on is null and t.due_on <= (now() at time zone 'utc')::date + 7
        order by t.due_on, t.id limit 6) as t))
$$;
revoke all on function private.home_news(), private.home_discover(), private.home_claims(), private.home_missing(), private.home_coach(),
  private.home_player() from public;
grant execute on function private.home_news(), private.home_discover(), private.home_claims(), private.home_missing(), private.home_coach(),
  private.home_player() to authenticated;

-- The Home screen, by role. A suspended user gets only the account and the suspension.
create function public.home() returns jsonb
language plpgsql stable security invoker
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  visibility constant text := public.profile_visibility();
  account jsonb;
  answer jsonb;
begin
  select jsonb_build_object('full_name', u.full_name, 'email', u.email, 'role', u.role, 'user_type', u.user_type, 'is_admin', u.is_admin)
  into account from public.users as u where u.id = uid;
  answer := jsonb_build_object('account', account, 'visibility', visibility,
    'suspension', (
      select jsonb_build_object('reason', s.reason, 'suspended_at', s.suspended_at)
      from public.suspensions as s where s.user_id = uid and s.lifted_at is null));
  if visibility = 'suspended' then
    return answer;
  end if;
  answer := answer || jsonb_build_object(
    'birth_date', (select b.birth_date from public.birth_dates as b where b.user_id = uid),
    'guardians', (
      select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'guardian_id', g.guardian_id, 'invited_email', g.invited_email,
        'status', g.status, 'invited_at', g.invited_at, 'answered_at', g.answered_at, 'ended_at', g.ended_at) order by g.invited_at), '[]')
      from public.guardianships as g where g.ward_id = uid),
    'invitations', (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from public.my_invitations() as i),
    'wards', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from public.my_wards() as w),
    'games', (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from public.home_games() as g),
    'tasks', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from public.first_tasks() as t),
    'news', private.home_news(),
    'discover', private.home_discover());
  return answer || case
    when (account ->> 'is_admin')::boolean then
      -- Null until the admin has verified the second factor, which the page then asks for.
      jsonb_build_object('totals', case when private.is_admin() then (select to_jsonb(t) from public.admin_totals() as t) end)
    when coalesce(account ->> 'role', account ->> 'user_type') = 'player' then jsonb_build_object('player', private.home_player())
    when coalesce(account ->> 'role', account ->> 'user_type') = 'coach' then jsonb_build_object('coach', private.home_coach())
    when coalesce(account ->> 'role', account ->> 'user_type') = 'scout' then jsonb_build_object(
      'listed', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from public.number_changes((now() at time zone 'utc')::date - 30, true) as c))
    else '{}'
  end;
end
$$;
revoke all on function public.home() from public, anon, authenticated;
grant execute on function public.home() to authenticated;

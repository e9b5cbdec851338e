-- Players under 13 appear in lists only for their family, their team and its verified coaches. A verified coach or
-- scout whom the guardian allows opens one page at a time and must know the player's id: the request names it in the
-- header x-opened-profile. Without the header, policies hide the child from GET /rest/v1/profiles, filters and embeds.

-- Children whom the caller may read in lists: team mates, for players under 18 and their guardians; and children who
-- ask to join a team with their guardian's approval, for its verified coaches.
create or replace function private.open_children() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  with mates as materialized (
    select them.user_id
    from public.team_members as me
    join public.team_members as them on them.team_id = me.team_id and them.role = 'player' and them.status = 'active'
    where me.role = 'player' and me.status = 'active' and private.is_minor(me.user_id)
      and (me.user_id = (select auth.uid()) or me.user_id in (select private.wards()))
  ), applicants as materialized (
    select m.user_id from public.team_members as m
    where m.status = 'asked' and m.approved_at is not null and m.team_id in (select private.coached_teams())
      and (select private.is_verified_coach())
  )
  select g.ward_id
  from public.guardianships as g
  where g.status = 'accepted' and not (select private.is_suspended())
    and g.ward_id in (select m.user_id from mates as m union all select a.user_id from applicants as a)
  group by g.ward_id
  having not bool_or(g.hides_profile)
    and (bool_and(g.audience <> 'family') and g.ward_id in (select m.user_id from mates as m)
      or g.ward_id in (select a.user_id from applicants as a))
    and private.age(g.ward_id) < 13 and private.has_guardian(g.ward_id)
    and not exists (select from public.suspensions as s where s.user_id = g.ward_id and s.lifted_at is null)
$$;

-- Whether the caller may open the page of this child: the children of private.open_children(), and, for verified
-- coaches and scouts, those whose guardians all allow it.
create function private.may_open(child uuid) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select child in (select private.open_children()) or (
    private.is_verified_reader() and not private.is_suspended()
    and coalesce((
      select bool_and(g.audience = 'verified' and not g.hides_profile)
      from public.guardianships as g where g.ward_id = child and g.status = 'accepted'), false)
    and private.age(child) < 13 and private.has_guardian(child)
    and not exists (select from public.suspensions as s where s.user_id = child and s.lifted_at is null))
$$;
revoke all on function private.may_open(uuid) from public;

-- The child whose page the request names, if the caller may open it.
create function private.opened_child() returns uuid
language plpgsql stable security definer
set search_path = ''
as $$
declare
  named constant text := nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-opened-profile';
begin
  if named ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' and private.may_open(named::uuid) then
    return named::uuid;
  end if;
  return null;
end
$$;
revoke all on function private.opened_child() from public;
grant execute on function private.opened_child() to authenticated;

alter policy "users read what is shown, and theirs" on public.profiles
  using (
    (public_profile and shown_from <= (now() at time zone 'utc')::date)
    or id = (select auth.uid())
    or id in (select private.wards())
    or id in (select private.coached_players())
    or id in (select private.open_children())
    or id = (select private.opened_child())
    or (select private.is_admin())
  );

-- The profiles that player_percentiles() reads besides the public ones.
create or replace function private.seen_besides() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select auth.uid() where auth.uid() is not null
  union select private.wards() union select private.coached_players() union select private.open_children()
  union select private.opened_child()
$$;

-- As in 20261122100400, but a coach may also invite a child whose page the coach may open.
create or replace function public.invite_to_team(team_id uuid, user_id uuid, jersey text default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  if team_id is null or team_id not in (select private.coached_teams()) then
    raise exception 'You are not a coach of this team.' using errcode = '42501';
  end if;
  if exists (select from public.teams as t where t.id = invite_to_team.team_id and t.vetted) and not private.is_verified_coach() then
    raise exception 'Only verified coaches invite to this team.' using errcode = '42501',
      hint = 'Players under 18 can be on it. Ask an admin, or two verified coaches, to verify you.';
  end if;
  -- Players who are not shown to others can ask to join, but nobody finds them by inviting.
  if not private.may_open(invite_to_team.user_id) and (
    not exists (select from public.profiles as p where p.id = invite_to_team.user_id and p.public_profile)
    or not private.may_be_shown(user_id))
  then
    raise exception 'There is no such profile.' using errcode = 'PT404', hint = 'Ask them to join your team instead.';
  end if;
  if private.is_minor(user_id) and not private.is_verified_coach() then
    raise exception 'Only verified coaches invite players under 18.' using errcode = '42501',
      hint = 'Ask an admin, or two verified coaches, to verify you.';
  elsif private.is_minor(user_id) and not private.is_for_minors(team_id) then
    raise exception 'The name of this team was not written by a verified coach.' using errcode = '42501',
      hint = 'Rename the team, then invite again.';
  end if;
  insert into public.team_members as m (team_id, user_id, role, status, jersey)
  values (invite_to_team.team_id, invite_to_team.user_id, private.member_role(invite_to_team.user_id), 'invited',
    invite_to_team.jersey)
  on conflict on constraint team_members_pkey do update
  set status = case
    when m.status <> 'asked' then m.status
    when private.in_care(m.user_id) and m.approved_at is null then 'invited'
    else 'active' end;
end
$$;

-- Follows, notes and watchlists are lists, too. A caller who may open a child's page but not list the child gets an
-- error that says so.
create function private.refuse_unlisted() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  player constant uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if private.may_open(player) and player not in (
    select private.open_children() union select private.wards() union select private.coached_players())
  then
    raise exception 'Players under 13 are in no list.' using errcode = '42501', hint = 'Keep the link to the page.';
  end if;
  return new;
end
$$;
revoke all on function private.refuse_unlisted() from public;
create trigger refuse_unlisted before insert on public.follows
  for each row execute function private.refuse_unlisted('followed_id');
create trigger refuse_unlisted before insert on public.scout_notes
  for each row execute function private.refuse_unlisted('player_id');
create trigger refuse_unlisted before insert on public.watchlist_players
  for each row execute function private.refuse_unlisted('player_id');

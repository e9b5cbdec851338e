-- The guardian approves a ward's memberships: answers invitations, and approves a ward's requests before a coach sees
-- them.

-- Whether a team is open to minors: its name is vetted, and it has a verified coach.
create function private.is_for_minors(team uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (select from public.teams as t where t.id = team and t.vetted) and exists (
    select from public.team_members as m
    where m.team_id = team and m.role = 'coach' and m.status = 'active' and private.coach_is_verified(m.user_id))
$$;
revoke all on function private.is_for_minors(uuid) from public;

-- The members whom a coach sees on the rosters of their teams. Only verified coaches see minors, and they see a ward's
-- request only after the guardian's approval.
create function private.coached_members() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.user_id from public.team_members as m
  where m.team_id in (select private.coached_teams())
    and (m.role = 'coach' or not private.is_minor(m.user_id)
      or ((select private.is_verified_coach())
        and (m.status <> 'asked' or m.approved_at is not null or not private.in_care(m.user_id))))
$$;
revoke all on function private.coached_members() from public;
grant execute on function private.coached_members() to authenticated;

-- The rosters of the caller's teams: all adults; minors are visible only to minors and their guardians. Coaches use
-- private.coached_members().
create function private.rosters() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.user_id
  from public.team_members as m
  where m.status = 'active' and m.team_id in (select private.own_teams())
    and (not private.is_minor(m.user_id) or exists (
      select from public.team_members as me
      where me.team_id = m.team_id and me.status = 'active' and private.is_minor(me.user_id)
        and (me.user_id = (select auth.uid()) or me.user_id in (select private.wards()))))
$$;
revoke all on function private.rosters() from public;
grant execute on function private.rosters() to authenticated;

alter policy "users read whom they may see, and their teams" on public.team_members
  using (
    (status = 'active' and exists (select from public.profiles as p where p.id = user_id))
    or user_id = (select auth.uid())
    or user_id in (select private.wards())
    or (status = 'active' and team_id in (select private.own_teams()) and user_id in (select private.rosters()))
    or (team_id in (select private.coached_teams()) and user_id in (select private.coached_members()))
  );

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
  -- Whoever is not shown to others can ask to join, but not be found out by inviting.
  if invite_to_team.user_id not in (select private.open_children()) and (
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

create or replace function public.ask_to_join(team_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  kind constant text := private.member_role(uid);
begin
  if not exists (select from public.teams as t where t.id = ask_to_join.team_id and t.active) then
    raise exception 'There is no such team.' using errcode = 'PT404';
  end if;
  if private.age(uid) is null then
    raise exception 'Tell us your birth date first.' using errcode = 'PT400';
  elsif not private.may_publish(uid) then
    raise exception 'Your guardian has to accept your account first.' using errcode = '42501';
  elsif not private.may_join(uid, kind) then
    raise exception 'A coach is an adult.' using errcode = '42501';
  elsif private.is_minor(uid) and not private.is_for_minors(team_id) then
    raise exception 'There is no such team.' using errcode = 'PT404', hint = 'Players under 18 join teams of verified coaches.';
  end if;
  insert into public.team_members as m (team_id, user_id, role, status)
  values (ask_to_join.team_id, uid, kind, 'asked')
  on conflict on constraint team_members_pkey do nothing;
end
$$;

-- For an invitation, the guardian's approval makes a ward a member; for a request, it lets the coaches see it. A ward
-- can do neither.
create or replace function public.accept_member(team_id uuid, user_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  is_guardian constant boolean := user_id in (select private.active_wards());
  minor constant boolean := private.is_minor(user_id);
  -- A guardian who coaches the team answers for both sides.
  is_coach constant boolean := team_id in (select private.coached_teams()) and private.is_verified_coach();
begin
  perform private.require_second_factor();
  if user_id = uid and private.in_care(uid) then
    raise exception 'Your guardian answers this invitation.' using errcode = '42501', hint = 'It waits on their Home.';
  end if;
  update public.team_members as m
  set status = case when is_guardian and not is_coach and m.status = 'asked' then 'asked' else 'active' end,
      approved_at = case when is_guardian then now() else m.approved_at end
  where m.team_id = accept_member.team_id and m.user_id = accept_member.user_id
    and private.may_join(m.user_id, m.role)
    and (m.role = 'coach' or not minor or private.is_for_minors(m.team_id))
    and (
      (m.status = 'invited' and (m.user_id = uid or is_guardian))
      or (m.status = 'asked' and is_guardian)
      or (m.status = 'asked' and m.user_id <> uid and m.team_id in (select private.coached_teams())
        -- Into a vetted team, where minors are, only a verified coach lets anybody.
        and (private.is_verified_coach()
          or not exists (select from public.teams as t where t.id = m.team_id and t.vetted))
        and (m.role = 'coach' or not minor
          or (private.is_verified_coach() and (m.approved_at is not null or not private.in_care(m.user_id))))));
  if not found then
    raise exception 'There is nothing here for you to accept.' using errcode = '42501';
  end if;
end
$$;

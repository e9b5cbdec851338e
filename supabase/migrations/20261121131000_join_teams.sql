-- A membership begins when both sides agree: a coach of the team, and the member or a minor's guardian.

create function public.create_team(name text, league_id uuid default null, city text default null, state text default null)
returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  team uuid;
begin
  if not exists (select from public.users where id = uid and role = 'coach') or private.is_minor(uid) then
    raise exception 'Only coaches make teams.' using errcode = '42501',
      hint = 'A coach is an adult who has told us the birth date.';
  end if;
  -- One after the other, so that the count holds.
  perform from public.users where id = uid for update;
  if (select count(*) from public.teams as t where t.created_by = uid and t.created_at > now() - interval '1 day') >= 10 then
    raise exception 'Ten teams a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  insert into public.teams (name, league_id, city, state, created_by)
  values (btrim(create_team.name), create_team.league_id, create_team.city, create_team.state, uid)
  returning id into team;
  insert into public.team_members (team_id, user_id, role, status) values (team, uid, 'coach', 'active');
  return team;
end
$$;
revoke all on function public.create_team(text, uuid, text, text) from public, anon, authenticated;
grant execute on function public.create_team(text, uuid, text, text) to authenticated;

-- Who may be a team member: a player with a known birth date, under 13 only with a guardian; an adult coach.
create function private.may_join(user_id uuid, role text) returns boolean
language sql stable
set search_path = ''
as $$
  select case role
    when 'coach' then not private.is_minor(may_join.user_id)
    else private.age(may_join.user_id) is not null and private.may_publish(may_join.user_id)
  end
$$;
revoke all on function private.may_join(uuid, text) from public;

create function private.member_role(user_id uuid) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  is_now constant text := (select u.role from public.users as u where u.id = member_role.user_id);
begin
  if is_now is null or is_now not in ('player', 'coach') then
    raise exception 'Teams have players and coaches.' using errcode = 'PT400';
  end if;
  return is_now;
end
$$;
revoke all on function private.member_role(uuid) from public;

create function public.invite_to_team(team_id uuid, user_id uuid, jersey text default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  if team_id is null or team_id not in (select private.coached_teams()) then
    raise exception 'You are not a coach of this team.' using errcode = '42501';
  end if;
  -- Whoever is not shown to others can ask to join, but not be found out by inviting.
  if not exists (select from public.profiles as p where p.id = invite_to_team.user_id and p.public_profile)
    or not private.may_be_shown(user_id)
  then
    raise exception 'There is no such profile.' using errcode = 'PT404', hint = 'Ask them to join your team instead.';
  end if;
  insert into public.team_members as m (team_id, user_id, role, status, jersey)
  values (invite_to_team.team_id, invite_to_team.user_id, private.member_role(invite_to_team.user_id), 'invited',
    invite_to_team.jersey)
  on conflict on constraint team_members_pkey do update
  set status = case when m.status = 'asked' then 'active' else m.status end;
end
$$;
revoke all on function public.invite_to_team(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.invite_to_team(uuid, uuid, text) to authenticated;

create function public.ask_to_join(team_id uuid) returns void
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
  end if;
  insert into public.team_members as m (team_id, user_id, role, status)
  values (ask_to_join.team_id, uid, kind, 'asked')
  on conflict on constraint team_members_pkey do nothing;
end
$$;
revoke all on function public.ask_to_join(uuid) from public, anon, authenticated;
grant execute on function public.ask_to_join(uuid) to authenticated;

create function public.accept_member(team_id uuid, user_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  update public.team_members as m set status = 'active'
  where m.team_id = accept_member.team_id and m.user_id = accept_member.user_id
    and private.may_join(m.user_id, m.role)
    and (
      (m.status = 'invited' and (m.user_id = uid or m.user_id in (select private.active_wards())))
      or (m.status = 'asked' and m.user_id <> uid and m.team_id in (select private.coached_teams())));
  if not found then
    raise exception 'There is nothing here for you to accept.' using errcode = '42501';
  end if;
end
$$;
revoke all on function public.accept_member(uuid, uuid) from public, anon, authenticated;
grant execute on function public.accept_member(uuid, uuid) to authenticated;

-- Also declines an invitation, withdraws a request, and removes a player from the roster.
create function public.leave_team(team_id uuid, user_id uuid default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  delete from public.team_members as m
  where m.team_id = leave_team.team_id and m.user_id = coalesce(leave_team.user_id, uid)
    and (m.user_id = uid or m.user_id in (select private.wards())
      or (m.team_id in (select private.coached_teams())
        and (m.role = 'player' or m.status <> 'active')));
  if not found then
    raise exception 'This membership is not yours to end.' using errcode = '42501';
  end if;
end
$$;
revoke all on function public.leave_team(uuid, uuid) from public, anon, authenticated;
grant execute on function public.leave_team(uuid, uuid) to authenticated;

-- A team without coaches is closed: nobody could remove its players or see requests to join. The page warns the last
-- coach before leaving. Deleting the coach's account closes the team, too.
create function private.close_team() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Of two coaches who leave at once, the second sees the first gone.
  perform from public.teams as t where t.id = old.team_id for update;
  if exists (
    select from public.team_members as m where m.team_id = old.team_id and m.role = 'coach' and m.status = 'active')
  then
    return null;
  end if;
  update public.teams set active = false where id = old.team_id;
  delete from public.team_members as m where m.team_id = old.team_id and m.status <> 'active';
  return null;
end
$$;
revoke all on function private.close_team() from public;

create trigger close_team
  after delete on public.team_members
  for each row when (old.role = 'coach' and old.status = 'active')
  execute function private.close_team();

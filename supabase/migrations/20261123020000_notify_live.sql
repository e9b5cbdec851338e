-- Notifications for the bell: triggers send them to the private channel user:<id>. Only that user may join it, and no
-- client may send to any channel, so that strangers reach nobody. They are kept for three days; a browser that was away
-- gets those again when it joins.
--
-- A notification contains no text that a user wrote, except the name of a team, and that only for readers who may see
-- it. It names no people: who follows whom is known to the follower alone.

create policy "users read their own channel" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast'
    and topic = 'user:' || (select auth.uid())::text
    and not (select private.is_suspended())
    and (select private.is_own_app())
  );

-- What users were notified of: the same thing is sent once a day, however often it is done and undone.
create table private.notified (
  user_id uuid not null references public.users (id) on delete cascade,
  subject text not null,
  notified_at timestamptz not null default now(),
  primary key (user_id, subject)
);

-- Sends a notification, unless the user has switched the topic off or is suspended. What seeds and operators write
-- notifies nobody; the auth service writes for users without their claims. A failure is only a warning, so that it never
-- fails the change it is about.
-- subject: what it is about, besides the kind. details: what the page words it with.
create function private.notify_user(user_id uuid, topic text, kind text, subject text, details jsonb default '{}')
returns void
language plpgsql
set search_path = ''
as $$
begin
  if (auth.uid() is null and session_user <> 'supabase_auth_admin')
    or exists (select from public.suspensions as s where s.user_id = notify_user.user_id and s.lifted_at is null)
    or exists (
      select from public.notification_preferences as p
      where p.user_id = notify_user.user_id and p.topic = notify_user.topic and p.channel = 'app' and not p.enabled)
  then
    return;
  end if;
  delete from private.notified as n
  where (n.user_id, n.subject) in (
    select o.user_id, o.subject from private.notified as o
    where o.user_id = notify_user.user_id and o.notified_at <= now() - interval '1 day'
    for update skip locked);
  insert into private.notified as n (user_id, subject) values (notify_user.user_id, concat(kind, ' ', subject))
  on conflict on constraint notified_pkey do update set notified_at = now()
  where n.notified_at <= now() - interval '1 day';
  if not found then
    return;
  end if;
  perform realtime.send(
    jsonb_build_object('kind', kind, 'at', floor(extract(epoch from now()) * 1000)) || details,
    'notification', 'user:' || notify_user.user_id::text, true);
exception
  when others then
    raise warning 'A notification was not sent: %', sqlerrm;
end
$$;
revoke all on function private.notify_user(uuid, text, text, text, jsonb) from public;

create function private.on_followed() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.notify_user(new.followed_id, 'follows', 'followed', new.follower_id::text);
  return null;
end
$$;
revoke all on function private.on_followed() from public;
create trigger on_followed after insert on public.follows for each row execute function private.on_followed();

-- The label of a measurement is one of ours, not the coach's.
create function private.on_measurement_verified() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.verified_by is distinct from new.player_id then
    perform private.notify_user(new.player_id, 'verification', 'measurement_verified', new.id::text,
      jsonb_build_object('label', (select k.label from public.measurement_kinds as k where k.kind = new.kind)));
  end if;
  return null;
end
$$;
revoke all on function private.on_measurement_verified() from public;
create trigger on_measurement_verified after update of verified_at on public.measurements
  for each row when (old.verified_at is null and new.verified_at is not null)
  execute function private.on_measurement_verified();

create function private.on_person_verified() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.notify_user(new.user_id, 'verification', tg_argv[0], '');
  return null;
end
$$;
revoke all on function private.on_person_verified() from public;
create trigger on_coach_verified after update of verified_at on public.coaches
  for each row when (old.verified_at is null and new.verified_at is not null)
  execute function private.on_person_verified('coach_verified');
create trigger on_scout_verified after update of verified_at on public.scouts
  for each row when (old.verified_at is null and new.verified_at is not null)
  execute function private.on_person_verified('scout_verified');

-- These have the topic that cannot be switched off: they change who decides for the account. The invited address counts
-- only for the user who has proven it, as for answering.
create function private.on_guardianship() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify_user(u.id, 'security', 'guardian_invited', new.id::text)
    from public.users as u
    where new.status = 'invited' and u.id <> new.ward_id and lower(u.email) = lower(new.invited_email)
      and private.invited_caller(u.id) = lower(new.invited_email);
  elsif new.status in ('accepted', 'declined') then
    perform private.notify_user(new.ward_id, 'security', 'guardian_' || new.status, new.id::text);
  elsif new.status = 'revoked' and old.status = 'accepted' then
    perform private.notify_user(
      case auth.uid() when new.ward_id then new.guardian_id else new.ward_id end, 'security', 'guardian_ended', new.id::text);
  end if;
  return null;
end
$$;
revoke all on function private.on_guardianship() from public;
create trigger on_guardianship_invited after insert on public.guardianships
  for each row execute function private.on_guardianship();
create trigger on_guardianship_answered after update of status on public.guardianships
  for each row when (old.status is distinct from new.status) execute function private.on_guardianship();

-- Minors, and users of whom that is unknown, are told the name only of a team that is open to minors.
create function private.team_for(reader uuid, team uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('team', (
    select t.name from public.teams as t
    where t.id = team_for.team
      and (not private.is_minor(team_for.reader) or private.is_for_minors(team_for.team)))))
$$;
revoke all on function private.team_for(uuid, uuid) from public;

create function private.notify_of_team(readers uuid[], kind text, team uuid, member uuid) returns void
language sql
set search_path = ''
as $$
  select private.notify_user(r.id, 'team', notify_of_team.kind, notify_of_team.team::text || ' ' || notify_of_team.member::text,
    private.team_for(r.id, notify_of_team.team))
  from unnest(notify_of_team.readers) as r (id)
  where r.id is distinct from auth.uid()
$$;
revoke all on function private.notify_of_team(uuid[], text, uuid, uuid) from public;

-- The coaches who may answer for a team: of minors only verified coaches learn.
create function private.coaches_for(team uuid, member uuid) returns uuid[]
language sql stable
set search_path = ''
as $$
  select coalesce(array_agg(m.user_id), '{}')
  from public.team_members as m join public.users as u on u.id = m.user_id
  where m.team_id = coaches_for.team and m.user_id <> coaches_for.member
    and m.role = 'coach' and m.status = 'active' and u.role = 'coach' and not private.is_minor(m.user_id)
    and (not private.is_minor(coaches_for.member) or private.coach_is_verified(m.user_id))
$$;
revoke all on function private.coaches_for(uuid, uuid) from public;

create function private.guardians_for(ward uuid) returns uuid[]
language sql stable
set search_path = ''
as $$
  select coalesce(array_agg(g.guardian_id), '{}')
  from public.guardianships as g
  where g.ward_id = guardians_for.ward and g.status = 'accepted' and private.is_minor(g.ward_id)
    and not private.is_minor(g.guardian_id)
$$;
revoke all on function private.guardians_for(uuid) from public;

create function private.on_membership() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  member public.team_members;
  in_care boolean;
begin
  if tg_op = 'DELETE' then
    member := old;
  else
    member := new;
  end if;
  in_care := private.in_care(member.user_id);
  -- A membership that ends with its team or its account needs no notification.
  if not exists (select from public.teams as t where t.id = member.team_id and t.active)
    or not exists (select from public.profiles as p where p.id = member.user_id)
  then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform private.notify_of_team(array[member.user_id],
      case old.status when 'active' then 'team_removed' when 'asked' then 'team_declined' else 'team_withdrawn' end,
      member.team_id, member.user_id);
    if old.status = 'invited'
      and (auth.uid() = member.user_id or auth.uid() = any (private.guardians_for(member.user_id)))
    then
      perform private.notify_of_team(private.coaches_for(member.team_id, member.user_id), 'member_declined',
        member.team_id, member.user_id);
    end if;
  elsif new.status = 'invited' then
    perform private.notify_of_team(array[member.user_id], case when in_care then 'team_invited_ward' else 'team_invited' end,
      member.team_id, member.user_id);
    perform private.notify_of_team(private.guardians_for(member.user_id), 'ward_invited', member.team_id, member.user_id);
  elsif new.status = 'asked' and in_care and new.approved_at is null then
    perform private.notify_of_team(private.guardians_for(member.user_id), 'ward_asked', member.team_id, member.user_id);
  elsif new.status = 'asked' then
    perform private.notify_of_team(private.coaches_for(member.team_id, member.user_id), 'member_asked',
      member.team_id, member.user_id);
    if tg_op = 'UPDATE' then
      perform private.notify_of_team(array[member.user_id], 'team_approved', member.team_id, member.user_id);
    end if;
  elsif tg_op = 'UPDATE' then
    perform private.notify_of_team(array[member.user_id], 'team_joined', member.team_id, member.user_id);
    perform private.notify_of_team(private.coaches_for(member.team_id, member.user_id), 'member_joined',
      member.team_id, member.user_id);
  end if;
  return null;
end
$$;
revoke all on function private.on_membership() from public;
create trigger on_membership_begun after insert or delete on public.team_members
  for each row execute function private.on_membership();
create trigger on_membership_changed after update of status, approved_at on public.team_members
  for each row when ((old.status, old.approved_at is null) is distinct from (new.status, new.approved_at is null))
  execute function private.on_membership();

create function private.on_referral() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.notify_user(c.owner_id, 'referrals', 'referred', new.user_id::text)
  from public.referral_codes as c where c.code = new.code and c.owner_id is not null;
  return null;
end
$$;
revoke all on function private.on_referral() from public;
create trigger on_referral after insert on private.referral_conversions
  for each row execute function private.on_referral();

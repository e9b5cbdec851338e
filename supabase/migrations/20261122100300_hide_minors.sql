-- Visibility of minors. Under 13, no stranger sees a profile, only those whom the guardian allows. From 13 on, a
-- profile is public once the guardian or the player has enabled that. School and GPA of minors are visible only to
-- those who look after them or recruit them.

-- School and GPA are a separate table, because a policy hides rows, not columns.
create table public.player_academics (
  user_id uuid primary key references public.players (user_id) on delete cascade,
  school text check (char_length(school) <= 120),
  gpa numeric(3, 2) check (gpa between 0 and 5),
  -- The eighteenth birthday, maintained by triggers. Not granted to anyone, because it reveals the birth date.
  adult_on date not null default 'infinity',
  updated_at timestamptz not null default now()
);
create trigger touch before update on public.player_academics for each row execute function private.touch();

insert into public.player_academics (user_id, school, gpa, adult_on)
select p.user_id, p.school, p.gpa, coalesce(private.birthday(b.birth_date, 18), 'infinity')
from public.players as p left join public.birth_dates as b on b.user_id = p.user_id
where p.school is not null or p.gpa is not null;
alter table public.players drop column school, drop column gpa;

create function private.start_academics() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  new.adult_on := coalesce(
    (select private.birthday(b.birth_date, 18) from public.birth_dates as b where b.user_id = new.user_id), 'infinity');
  return new;
end
$$;
revoke all on function private.start_academics() from public;
create trigger start_academics before insert on public.player_academics
  for each row execute function private.start_academics();

alter table public.player_academics enable row level security;
create policy "visitors read those of adults whom they may see" on public.player_academics
  for select to anon
  using (adult_on <= (now() at time zone 'utc')::date and exists (select from public.profiles as p where p.id = user_id));
create policy "users read those of adults, and of whom they look after" on public.player_academics
  for select to authenticated
  using (
    (
      (adult_on <= (now() at time zone 'utc')::date or (select private.is_verified_reader()))
      and exists (select from public.profiles as p where p.id = user_id)
    )
    or user_id = (select auth.uid())
    or user_id in (select private.wards())
    or user_id in (select private.coached_players())
  );
create policy "owners and guardians insert" on public.player_academics
  for insert to authenticated
  with check (
    (user_id = (select auth.uid()) and (select private.may_publish()))
    or user_id in (select private.active_wards())
  );
create policy "owners and guardians update" on public.player_academics
  for update to authenticated
  using (
    (user_id = (select auth.uid()) and (select private.may_publish()))
    or user_id in (select private.active_wards())
  );
create policy "not the suspended" on public.player_academics
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.player_academics from anon, authenticated;
grant select (user_id, school, gpa, updated_at) on table public.player_academics to anon, authenticated;
-- An upsert of supabase-js writes every column it is given.
grant insert (user_id, school, gpa), update (user_id, school, gpa) on table public.player_academics to authenticated;

-- Who may open the page of a ward under 13, besides the family and the verified coaches of the team. family: nobody
-- else. team: also the other minors who play in the team, and their guardians. verified: also verified coaches and
-- scouts. With two guardians, the stricter setting applies.
alter table public.guardianships
  add column audience text not null default 'team' check (audience in ('family', 'team', 'verified'));

-- When the guardian approved a ward's request to join a team.
alter table public.team_members add column approved_at timestamptz;

-- Includes wards who ask to join a team with the guardian's approval, for the verified coaches of that team.
create function private.open_children() returns setof uuid
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
    and ((select private.is_verified_reader()) or g.ward_id in (select m.user_id from mates as m))
  group by g.ward_id
  having not bool_or(g.hides_profile)
    and (
      (bool_and(g.audience = 'verified') and (select private.is_verified_reader()))
      or (bool_and(g.audience <> 'family') and g.ward_id in (select m.user_id from mates as m))
      or g.ward_id in (select a.user_id from applicants as a))
    and private.age(g.ward_id) < 13 and private.has_guardian(g.ward_id)
    and not exists (select from public.suspensions as s where s.user_id = g.ward_id and s.lifted_at is null)
$$;
revoke all on function private.open_children() from public;
grant execute on function private.open_children() to authenticated;

alter policy "users read what is shown, and theirs" on public.profiles
  using (
    (public_profile and shown_from <= (now() at time zone 'utc')::date)
    or id = (select auth.uid())
    or id in (select private.wards())
    or id in (select private.coached_players())
    or id in (select private.open_children())
    or (select private.is_admin())
  );

-- Strangers never see a profile before 13, with or without a guardian.
create or replace function private.shown_from(user_id uuid) returns date
language sql stable
set search_path = ''
as $$
  select case
    when exists (select from public.suspensions as s where s.user_id = shown_from.user_id and s.lifted_at is null)
      then 'infinity'::date
    else coalesce((
      select case
        when exists (
          select from public.guardianships as g
          where g.ward_id = b.user_id and g.status = 'accepted' and g.hides_profile)
          then private.birthday(b.birth_date, 18)
        else private.birthday(b.birth_date, 13)
      end
      from public.birth_dates as b where b.user_id = shown_from.user_id), 'infinity')
  end
$$;
update public.profiles set shown_from = private.shown_from(id) where shown_from <> private.shown_from(id);

-- A minor's profile starts private, whatever the sign-up form said. It becomes public when someone enables that.
create function private.start_private() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if private.age(new.user_id) < (case tg_op when 'INSERT' then 18 else 13 end) then
    update public.users set public_profile = false where id = new.user_id and public_profile;
  end if;
  update public.player_academics set adult_on = private.birthday(new.birth_date, 18) where user_id = new.user_id;
  return null;
end
$$;
revoke all on function private.start_private() from public;
create trigger start_private after insert or update of birth_date on public.birth_dates
  for each row execute function private.start_private();

create function private.stop_academics() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.player_academics set adult_on = 'infinity' where user_id = old.user_id;
  return null;
end
$$;
revoke all on function private.stop_academics() from public;
create trigger stop_academics after delete on public.birth_dates
  for each row execute function private.stop_academics();

create function private.check_public_profile() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if private.age(new.id) < 13 then
    raise exception 'Your guardian decides who sees your profile.' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.check_public_profile() from public;
create trigger check_public_profile before update of public_profile on public.users
  for each row when (new.public_profile and not old.public_profile)
  execute function private.check_public_profile();

-- Of the users who are minors now, only those whom a guardian last showed stay public.
update public.users as u set public_profile = false
where u.public_profile and private.age(u.id) < 18
  and not (private.age(u.id) >= 13 and coalesce((
    select l.action = 'ward_shown' from public.audit_log as l
    where l.subject_id = u.id::text and l.action in ('ward_shown', 'ward_hidden') order by l.id desc limit 1), false));

create or replace function public.profile_visibility() returns text
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  years constant integer := private.age(uid);
begin
  -- What the user cannot change comes before what the user has chosen.
  return case
    when private.is_suspended() then 'suspended'
    when years is null then 'birth_date_missing'
    when years < 13 and not private.has_guardian(uid) then 'guardian_missing'
    when years < 18 and exists (
      select from public.guardianships as g where g.ward_id = uid and g.status = 'accepted' and g.hides_profile)
      then 'hidden_by_guardian'
    when years < 13 then 'guardian_decides'
    when exists (select from public.users where id = uid and not public_profile) then 'private'
    else 'visible'
  end;
end
$$;

-- From 13 on, visible also overrides the minor's own choice; a minor cannot undo hidden.
create or replace function public.set_ward_visibility(ward_id uuid, visible boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.guardian_of(ward_id);
begin
  update public.guardianships as g set hides_profile = not visible
  where g.ward_id = set_ward_visibility.ward_id and g.guardian_id = uid and g.status = 'accepted';
  update public.users as u set public_profile = visible and coalesce(private.age(u.id) >= 13, false)
  where u.id = set_ward_visibility.ward_id;
  perform private.audit(case when visible then 'ward_shown' else 'ward_hidden' end, ward_id::text);
end
$$;

create function public.set_ward_audience(ward_id uuid, audience text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.guardian_of(ward_id);
begin
  if audience is null or audience not in ('family', 'team', 'verified') then
    raise exception 'An audience is family, team or verified.' using errcode = 'PT400';
  end if;
  update public.guardianships as g set audience = set_ward_audience.audience
  where g.ward_id = set_ward_audience.ward_id and g.guardian_id = uid and g.status = 'accepted';
  perform private.audit('ward_audience_set', ward_id::text, null, jsonb_build_object('to', audience));
end
$$;
revoke all on function public.set_ward_audience(uuid, text) from public, anon, authenticated;
grant execute on function public.set_ward_audience(uuid, text) to authenticated;

-- shown: whether anyone besides the family and the coaches sees the profile now; audience: the caller's choice.
drop function public.my_wards();
create function public.my_wards()
returns table (guardianship_id uuid, ward_id uuid, full_name text, birth_date date, public_profile boolean,
  hides_profile boolean, until date, shown boolean, suspended boolean, "first" boolean, guardians integer, audience text)
language sql stable security definer
set search_path = ''
as $$
  select g.id, g.ward_id, u.full_name, b.birth_date, u.public_profile, g.hides_profile,
    private.birthday(b.birth_date, 18),
    case when private.age(g.ward_id) < 13
      then not bool_or(o.hides_profile) and bool_and(o.audience <> 'family') and not ward.suspended
      else u.public_profile and private.may_be_shown(g.ward_id) end,
    ward.suspended, g.guardian_id = private.first_of(g.ward_id), count(*)::integer, g.audience
  from public.guardianships as g
  join public.users as u on u.id = g.ward_id
  join public.guardianships as o on o.ward_id = g.ward_id and o.status = 'accepted'
  left join public.birth_dates as b on b.user_id = g.ward_id
  cross join lateral (
    select exists (select from public.suspensions as s where s.user_id = g.ward_id and s.lifted_at is null)) as ward (suspended)
  where g.guardian_id = auth.uid() and g.status = 'accepted' and g.ward_id in (select private.wards())
  group by g.id, u.id, b.user_id, ward.suspended
  order by u.full_name, g.ward_id
$$;
revoke all on function public.my_wards() from public, anon, authenticated;
grant execute on function public.my_wards() to authenticated;

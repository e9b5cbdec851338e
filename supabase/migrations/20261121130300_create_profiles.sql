-- The public part of users, maintained by triggers. Visibility is decided only here: the policies of all tables about a
-- person check whether this row is visible.
create table public.profiles (
  id uuid primary key references public.users (id) on delete cascade,
  full_name text not null,
  role text not null,
  public_profile boolean not null,
  -- The first day on which may_be_shown(id) holds; infinity while no such day is known. As a date it needs no update on
  -- a thirteenth birthday. Not granted to anyone, because it reveals the birthday.
  shown_from date not null default 'infinity',
  created_at timestamptz not null
);
create index profiles_shown_idx on public.profiles (shown_from) where public_profile;
create index profiles_name_idx on public.profiles (lower(full_name) text_pattern_ops) where public_profile;

-- Never while the birth date is unknown or the account is suspended. A minor whom a guardian hides is shown at 18. Any
-- other user is shown from 13, or earlier with a guardian who accepted the account.
create function private.shown_from(user_id uuid) returns date
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
        when private.has_guardian(b.user_id) then '-infinity'::date
        else private.birthday(b.birth_date, 13)
      end
      from public.birth_dates as b where b.user_id = shown_from.user_id), 'infinity')
  end
$$;
revoke all on function private.shown_from(uuid) from public;

create function private.may_be_shown(id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (select from public.profiles as p where p.id = may_be_shown.id and p.shown_from <= private.today())
$$;
revoke all on function private.may_be_shown(uuid) from public;

create function private.keep_profile() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into public.profiles (id, full_name, role, public_profile, shown_from, created_at)
  values (new.id, new.full_name, new.role, new.public_profile, private.shown_from(new.id), new.created_at)
  on conflict (id) do update
  set full_name = excluded.full_name, role = excluded.role, public_profile = excluded.public_profile;
  return null;
end
$$;
revoke all on function private.keep_profile() from public;

-- The name sorts after "on_user_created" and before "start_role"; triggers run in alphabetical order.
create trigger profile
  after insert or update of full_name, role, public_profile on public.users
  for each row execute function private.keep_profile();

create function private.keep_shown_from() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  changed constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  person constant uuid := coalesce(changed ->> 'ward_id', changed ->> 'user_id');
begin
  update public.profiles set shown_from = private.shown_from(person) where id = person;
  if tg_table_name in ('suspensions', 'birth_dates') then
    -- Whoever this user is a guardian of has one less, or one more.
    update public.profiles set shown_from = private.shown_from(id)
    where id in (select ward_id from public.guardianships where guardian_id = person and status = 'accepted');
  end if;
  return null;
end
$$;
revoke all on function private.keep_shown_from() from public;

create trigger keep_shown_from after insert or update or delete on public.birth_dates
  for each row execute function private.keep_shown_from();
create trigger keep_shown_from after insert or update or delete on public.guardianships
  for each row execute function private.keep_shown_from();
create trigger keep_shown_from after insert or update or delete on public.suspensions
  for each row execute function private.keep_shown_from();

-- Teams: a coach always sees the players of the team.
create table public.leagues (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (char_length(btrim(name)) between 2 and 100),
  -- For example 16U or High school.
  level text not null check (char_length(level) between 1 and 40),
  state text check (state ~ '^[A-Z]{2}$'),
  active boolean not null default true
);

create table public.teams (
  id uuid primary key default gen_random_uuid(),
  league_id uuid references public.leagues (id) on delete set null,
  name text not null check (char_length(btrim(name)) between 2 and 100),
  city text check (char_length(city) <= 100),
  state text check (state ~ '^[A-Z]{2}$'),
  created_by uuid references public.profiles (id) on delete set null,
  active boolean not null default true,
  created_at timestamptz not null default now()
);
create index teams_league_id_idx on public.teams (league_id);
create index teams_created_by_idx on public.teams (created_by);

create table public.team_members (
  team_id uuid not null references public.teams (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null check (role in ('player', 'coach')),
  -- invited by a coach of the team, asked by the user, or active once the other side has agreed.
  status text not null check (status in ('invited', 'asked', 'active')),
  jersey text check (jersey ~ '^[0-9]{1,2}$'),
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_members_user_id_idx on public.team_members (user_id, status);

-- The teams that the caller coaches. The caller must be an adult and still have the role coach, which an admin may have
-- changed.
create function private.coached_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.team_id
  from public.team_members as m join public.users as u on u.id = m.user_id
  where m.user_id = (select auth.uid()) and m.role = 'coach' and m.status = 'active' and u.role = 'coach'
    and not (select private.is_minor((select auth.uid()))) and not (select private.is_suspended())
$$;
revoke all on function private.coached_teams() from public;
grant execute on function private.coached_teams() to authenticated;

-- The players of these teams, except suspended ones and those whose data must not be stored: children without a
-- guardian, and users without a birth date.
create function private.coached_players() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct m.user_id from public.team_members as m
  where m.team_id in (select private.coached_teams()) and m.role = 'player' and m.status = 'active'
    and private.age(m.user_id) is not null and private.may_publish(m.user_id)
    and not exists (select from public.suspensions as s where s.user_id = m.user_id and s.lifted_at is null)
$$;
revoke all on function private.coached_players() from public;
grant execute on function private.coached_players() to authenticated;

-- The teams of which the caller or a ward is a member.
create function private.own_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select team_id from public.team_members
  where status = 'active' and (user_id = (select auth.uid()) or user_id in (select private.wards()))
$$;
revoke all on function private.own_teams() from public;
grant execute on function private.own_teams() to authenticated;

alter table public.profiles enable row level security;

create policy "visitors read what is shown" on public.profiles
  for select to anon
  using (public_profile and shown_from <= (now() at time zone 'utc')::date);
create policy "users read what is shown, and theirs" on public.profiles
  for select to authenticated
  using (
    (public_profile and shown_from <= (now() at time zone 'utc')::date)
    or id = (select auth.uid())
    or id in (select private.wards())
    or id in (select private.coached_players())
    or (select private.is_admin())
  );
create policy "not the suspended" on public.profiles
  as restrictive for all to authenticated using (not (select private.is_suspended()));

revoke all on table public.profiles from anon, authenticated;
grant select (id, full_name, role, public_profile, created_at) on table public.profiles to anon, authenticated;

alter table public.leagues enable row level security;
create policy "visitors read" on public.leagues for select to anon using (active);
create policy "users read" on public.leagues for select to authenticated using (active or (select private.is_admin()));
create policy "admins insert" on public.leagues for insert to authenticated with check ((select private.is_admin()));
create policy "admins update" on public.leagues for update to authenticated using ((select private.is_admin()));
create policy "not the suspended" on public.leagues
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.leagues from anon, authenticated;
grant select on table public.leagues to anon, authenticated;
grant insert (name, level, state), update (name, level, state, active) on table public.leagues to authenticated;

alter table public.teams enable row level security;
create policy "visitors read" on public.teams for select to anon using (active);
-- Members also see closed teams: coaches can reopen them, players can leave them.
create policy "users read" on public.teams
  for select to authenticated
  using (
    active
    or id in (select private.coached_teams())
    or id in (select private.own_teams())
    or (select private.is_admin())
  );
create policy "coaches and admins update" on public.teams
  for update to authenticated
  using (id in (select private.coached_teams()) or (select private.is_admin()));
create policy "not the suspended" on public.teams
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.teams from anon, authenticated;
grant select (id, league_id, name, city, state, active, created_at) on table public.teams to anon, authenticated;
grant update (name, city, state, active) on table public.teams to authenticated;

alter table public.team_members enable row level security;
create policy "visitors read whom they may see" on public.team_members
  for select to anon
  using (status = 'active' and exists (select from public.profiles as p where p.id = user_id));
create policy "users read whom they may see, and their teams" on public.team_members
  for select to authenticated
  using (
    (status = 'active' and exists (select from public.profiles as p where p.id = user_id))
    or user_id = (select auth.uid())
    or user_id in (select private.wards())
    or (status = 'active' and team_id in (select private.own_teams()))
    or team_id in (select private.coached_teams())
  );
create policy "not the suspended" on public.team_members
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.team_members from anon, authenticated;
grant select on table public.team_members to anon, authenticated;

insert into public.profiles (id, full_name, role, public_profile, created_at)
select id, full_name, role, public_profile, created_at from public.users
on conflict (id) do nothing;

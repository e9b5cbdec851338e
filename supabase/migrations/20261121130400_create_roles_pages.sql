-- The pages of players, coaches and scouts, one row each, created with the account. User ids reference profiles, so
-- that the API can embed the names of visible users.

create table public.players (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  bats text check (bats in ('L', 'R', 'S')),
  throws text check (throws in ('L', 'R')),
  -- The first is the one used for comparisons.
  positions text[] not null default '{}' check (
    cardinality(positions) <= 4
    and positions <@ array['P', 'C', '1B', '2B', '3B', 'SS', 'IF', 'LF', 'CF', 'RF', 'OF', 'DH', 'UT']),
  position_group text generated always as (
    case
      when positions[1] in ('P', 'C') then positions[1]
      when positions[1] in ('1B', '2B', '3B', 'SS', 'IF') then 'IF'
      when positions[1] in ('LF', 'CF', 'RF', 'OF') then 'OF'
      when positions[1] in ('DH', 'UT') then 'UT'
    end) stored,
  height_in numeric(4, 1) check (height_in between 36 and 96),
  weight_lb integer check (weight_lb between 40 and 400),
  grad_year integer check (grad_year between 1950 and 2100),
  school text check (char_length(school) <= 120),
  gpa numeric(3, 2) check (gpa between 0 and 5),
  hometown text check (char_length(hometown) <= 100),
  state text check (state ~ '^[A-Z]{2}$'),
  bio text check (char_length(bio) <= 2000),
  jersey text check (jersey ~ '^[0-9]{1,2}$'),
  -- Whether coaches of the team may add measurements.
  accept_coach_stats boolean not null default true,
  updated_at timestamptz not null default now()
);
create index players_compared_idx on public.players (grad_year, position_group);

create table public.coaches (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  league text not null default '' check (char_length(league) <= 120),
  team_name text not null default '' check (char_length(team_name) <= 120),
  years_coaching integer not null default 0 check (years_coaching between 0 and 49),
  years_current_league integer not null default 0 check (years_current_league between 0 and 49),
  months_current_league integer not null default 0 check (months_current_league between 0 and 11),
  years_current_team integer not null default 0 check (years_current_team between 0 and 49),
  months_current_team integer not null default 0 check (months_current_team between 0 and 11),
  display_badges boolean not null default true,
  certifications text[] not null default '{}' check (
    cardinality(certifications) <= 20 and octet_length(certifications::text) <= 4000),
  bio text check (char_length(bio) <= 2000),
  updated_at timestamptz not null default now()
);

create table public.scouts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  org text not null default '' check (char_length(org) <= 120),
  regions text[] not null default '{}' check (cardinality(regions) <= 60 and octet_length(regions::text) <= 4000),
  bio text check (char_length(bio) <= 2000),
  -- Set by an admin.
  verified_at timestamptz,
  verified_by uuid references public.profiles (id) on delete set null,
  updated_at timestamptz not null default now()
);
create index scouts_verified_by_idx on public.scouts (verified_by);

create function private.touch() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
revoke all on function private.touch() from public;
create trigger touch before update on public.players for each row execute function private.touch();
create trigger touch before update on public.coaches for each row execute function private.touch();
create trigger touch before update on public.scouts for each row execute function private.touch();

-- The metadata holds what the coach entered at sign-up. It comes from the visitor and must not make the creation of an
-- account fail, so it is parsed defensively.
create function private.meta_number(meta jsonb, key text, most integer) returns integer
language sql immutable
set search_path = ''
as $$
  select case when meta ->> key ~ '^[0-9]{1,3}$' then least((meta ->> key)::integer, most) else 0 end
$$;
revoke all on function private.meta_number(jsonb, text, integer) from public;

create function private.start_role() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  meta constant jsonb := (select raw_user_meta_data from auth.users where id = new.id);
begin
  case new.role
    when 'player' then
      insert into public.players (user_id, accept_coach_stats)
      values (new.id, meta ->> 'accept_coach_stats' is distinct from 'false')
      on conflict do nothing;
    when 'scout' then
      insert into public.scouts (user_id) values (new.id) on conflict do nothing;
    when 'coach' then
      insert into public.coaches (user_id, league, team_name, years_coaching, years_current_league,
        months_current_league, years_current_team, months_current_team, display_badges)
      values (new.id,
        left(btrim(coalesce(meta ->> 'league', '')), 120), left(btrim(coalesce(meta ->> 'team_name', '')), 120),
        private.meta_number(meta, 'years_coaching', 49),
        private.meta_number(meta, 'years_current_league', 49), private.meta_number(meta, 'months_current_league', 11),
        private.meta_number(meta, 'years_current_team', 49), private.meta_number(meta, 'months_current_team', 11),
        meta ->> 'display_badges' is distinct from 'false')
      on conflict do nothing;
    else
      null;
  end case;
  return null;
end
$$;
revoke all on function private.start_role() from public;

create trigger start_role
  after insert or update of role on public.users
  for each row execute function private.start_role();

alter table public.players enable row level security;
create policy "everybody reads whom they may see" on public.players
  for select to anon, authenticated
  using (exists (select from public.profiles as p where p.id = user_id));
create policy "owners and guardians insert" on public.players
  for insert to authenticated
  with check (
    (user_id = (select auth.uid()) and (select private.may_publish()))
    or user_id in (select private.active_wards())
  );
create policy "owners and guardians update" on public.players
  for update to authenticated
  using (
    (user_id = (select auth.uid()) and (select private.may_publish()))
    or user_id in (select private.active_wards())
  );
create policy "not the suspended" on public.players
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.players from anon, authenticated;
grant select on table public.players to anon, authenticated;
grant insert (user_id, bats, throws, positions, height_in, weight_lb, grad_year, school, gpa, hometown, state, bio, jersey,
    accept_coach_stats),
  update (bats, throws, positions, height_in, weight_lb, grad_year, school, gpa, hometown, state, bio, jersey,
    accept_coach_stats)
  on table public.players to authenticated;

alter table public.coaches enable row level security;
create policy "everybody reads whom they may see" on public.coaches
  for select to anon, authenticated
  using (exists (select from public.profiles as p where p.id = user_id));
create policy "owners update" on public.coaches
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.may_publish()));
create policy "not the suspended" on public.coaches
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.coaches from anon, authenticated;
grant select on table public.coaches to anon, authenticated;
grant update (league, team_name, years_coaching, years_current_league, months_current_league, years_current_team,
  months_current_team, display_badges, certifications, bio) on table public.coaches to authenticated;

alter table public.scouts enable row level security;
create policy "everybody reads whom they may see" on public.scouts
  for select to anon, authenticated
  using (exists (select from public.profiles as p where p.id = user_id));
create policy "owners update" on public.scouts
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.may_publish()));
create policy "not the suspended" on public.scouts
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.scouts from anon, authenticated;
grant select (user_id, org, regions, bio, verified_at, updated_at) on table public.scouts to anon, authenticated;
grant update (org, regions, bio) on table public.scouts to authenticated;

-- Users who already existed.
insert into public.players (user_id) select id from public.users where role = 'player' on conflict do nothing;
insert into public.scouts (user_id) select id from public.users where role = 'scout' on conflict do nothing;
insert into public.coaches (user_id, league, team_name)
select u.id, left(btrim(coalesce(a.raw_user_meta_data ->> 'league', '')), 120),
  left(btrim(coalesce(a.raw_user_meta_data ->> 'team_name', '')), 120)
from public.users as u join auth.users as a on a.id = u.id
where u.role = 'coach'
on conflict do nothing;

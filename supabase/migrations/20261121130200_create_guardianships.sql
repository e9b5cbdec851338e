-- Birth dates and guardians. Ages are computed in UTC, so an age limit is off by at most half a day.

create table public.birth_dates (
  user_id uuid primary key references public.users (id) on delete cascade,
  birth_date date not null check (birth_date >= '1900-01-01'),
  answered_at timestamptz not null default now()
);

-- A relation, not a role: any adult's account can be a guardian.
create table public.guardianships (
  id uuid primary key default gen_random_uuid(),
  ward_id uuid not null references public.users (id) on delete cascade,
  -- Null until a user with the invited address accepts.
  guardian_id uuid references public.users (id) on delete cascade,
  invited_email text not null check (char_length(invited_email) between 3 and 320),
  -- revoked: ended before or after acceptance, by someone entitled to. At 18 a guardianship ends by itself and keeps
  -- its status.
  status text not null default 'invited' check (status in ('invited', 'accepted', 'declined', 'revoked')),
  -- The guardian hides a minor's profile, whatever public_profile says.
  hides_profile boolean not null default false,
  invited_at timestamptz not null default now(),
  answered_at timestamptz,
  ended_at timestamptz,
  constraint guardianships_not_ones_own check (ward_id <> guardian_id),
  constraint guardianships_accepted_by_somebody check (status <> 'accepted' or guardian_id is not null)
);
create unique index guardianships_open_key on public.guardianships (ward_id, lower(invited_email))
  where status in ('invited', 'accepted');
create index guardianships_ward_id_idx on public.guardianships (ward_id);
create index guardianships_guardian_id_idx on public.guardianships (guardian_id);
create index guardianships_invited_email_idx on public.guardianships (lower(invited_email)) where status = 'invited';

create function private.today() returns date
language sql stable
set search_path = ''
as $$ select (now() at time zone 'utc')::date $$;
revoke all on function private.today() from public;

-- The day on which a user reaches an age. For users born on 29 February it is 1 March, as private.age() computes it.
create function private.birthday(birth_date date, years integer) returns date
language sql immutable
set search_path = ''
as $$
  select b.day + case when extract(day from b.day) = extract(day from birthday.birth_date) then 0 else 1 end
  from (select (birthday.birth_date + make_interval(years => birthday.years))::date) as b (day)
$$;
revoke all on function private.birthday(date, integer) from public;

-- Full years; null while the birth date is unknown.
create function private.age(user_id uuid) returns integer
language sql stable
set search_path = ''
as $$
  select extract(year from pg_catalog.age(private.today()::timestamp, b.birth_date::timestamp))::integer
  from public.birth_dates as b where b.user_id = age.user_id
$$;
revoke all on function private.age(uuid) from public;

-- While the birth date is unknown, a user counts as a minor.
create function private.is_minor(user_id uuid) returns boolean
language sql stable
set search_path = ''
as $$ select coalesce(private.age(user_id) < 18, true) $$;
revoke all on function private.is_minor(uuid) from public;

create function private.has_guardian(user_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.guardianships as g
    where g.ward_id = has_guardian.user_id and g.status = 'accepted'
      -- A guardian who is suspended answers for nobody, nor does one who turned out to be a minor.
      and not private.is_minor(g.guardian_id)
      and not exists (select from public.suspensions as s where s.user_id = g.guardian_id and s.lifted_at is null))
$$;
revoke all on function private.has_guardian(uuid) from public;

-- The minors whose guardian the caller is.
create function private.wards() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select g.ward_id
  from public.guardianships as g
  where g.guardian_id = (select auth.uid()) and g.status = 'accepted'
    and private.is_minor(g.ward_id) and not (select private.is_minor((select auth.uid())))
    and not (select private.is_suspended())
$$;
revoke all on function private.wards() from public;
grant execute on function private.wards() to authenticated;

-- The wards for whom the caller may write: a guardian cannot act for a suspended minor.
create function private.active_wards() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select w.id from private.wards() as w (id)
  where not exists (select from public.suspensions as s where s.user_id = w.id and s.lifted_at is null)
$$;
revoke all on function private.active_wards() from public;
grant execute on function private.active_wards() to authenticated;

-- Under 13 no activity of a user is stored until a guardian has accepted the account.
create function private.may_publish(user_id uuid) returns boolean
language sql stable
set search_path = ''
as $$ select coalesce(private.age(user_id) >= 13, true) or private.has_guardian(user_id) $$;
revoke all on function private.may_publish(uuid) from public;

create function private.may_publish() returns boolean
language sql stable security definer
set search_path = ''
as $$ select private.may_publish((select auth.uid())) $$;
revoke all on function private.may_publish() from public;
grant execute on function private.may_publish() to authenticated;

-- Whether the caller has a guardian, at whatever age: only the guardian may then set the birth date.
create function private.is_ward() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.guardianships as g where g.ward_id = (select auth.uid()) and g.status = 'accepted')
$$;
revoke all on function private.is_ward() from public;
grant execute on function private.is_ward() to authenticated;

alter table public.birth_dates enable row level security;

create policy "owners and guardians read" on public.birth_dates
  for select to authenticated
  using (user_id = (select auth.uid()) or user_id in (select private.wards()));
-- Only once: a child must not become older by answering again, nor after an admin has cleared a mistyped date.
create policy "owners answer" on public.birth_dates
  for insert to authenticated
  with check (user_id = (select auth.uid()) and not (select private.is_ward()));
create policy "not the suspended" on public.birth_dates
  as restrictive for all to authenticated using (not (select private.is_suspended()));

revoke all on table public.birth_dates from anon, authenticated;
grant select on table public.birth_dates to authenticated;
grant insert (user_id, birth_date) on table public.birth_dates to authenticated;

create function private.check_birth_date() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.birth_date > (now() at time zone 'utc')::date then
    raise exception 'A birth date lies in the past.' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.check_birth_date() from public;

create trigger check_birth_date
  before insert or update on public.birth_dates
  for each row execute function private.check_birth_date();

alter table public.guardianships enable row level security;

create policy "both sides and admins read" on public.guardianships
  for select to authenticated
  using (ward_id = (select auth.uid()) or guardian_id = (select auth.uid()) or (select private.is_admin()));
create policy "not the suspended" on public.guardianships
  as restrictive for all to authenticated using (not (select private.is_suspended()));

revoke all on table public.guardianships from anon, authenticated;
grant select on table public.guardianships to authenticated;

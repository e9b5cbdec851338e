-- A suspended user may still sign in: to read the reason, to export their data, and to delete the account. One
-- restrictive policy per table closes everything else.
create table public.suspensions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  reason text not null check (char_length(btrim(reason)) between 3 and 1000),
  suspended_by uuid references public.users (id) on delete set null,
  suspended_at timestamptz not null default now(),
  lifted_by uuid references public.users (id) on delete set null,
  lifted_at timestamptz
);
create index suspensions_user_id_idx on public.suspensions (user_id);
create index suspensions_suspended_by_idx on public.suspensions (suspended_by);
create index suspensions_lifted_by_idx on public.suspensions (lifted_by);
create unique index suspensions_one_at_a_time_key on public.suspensions (user_id) where lifted_at is null;

create function private.is_suspended() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.suspensions where user_id = (select auth.uid()) and lifted_at is null)
$$;
revoke all on function private.is_suspended() from public;
grant execute on function private.is_suspended() to authenticated;

-- A suspended admin has no admin rights.
create or replace function private.is_admin() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.users where id = (select auth.uid()) and is_admin)
    and not exists (select from public.suspensions where user_id = (select auth.uid()) and lifted_at is null)
$$;

alter table public.suspensions enable row level security;

create policy "the suspended and admins read" on public.suspensions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on table public.suspensions from anon, authenticated;
-- Which admin suspended a user is recorded in the audit log, for admins only.
grant select (id, user_id, reason, suspended_at, lifted_at) on table public.suspensions to authenticated;

-- The page reads each user's role first, so a user's own row stays readable.
create policy "the suspended read themselves" on public.users
  as restrictive for select to authenticated
  using (id = (select auth.uid()) or not (select private.is_suspended()));
create policy "not the suspended insert" on public.users
  as restrictive for insert to authenticated
  with check (not (select private.is_suspended()));
create policy "not the suspended update" on public.users
  as restrictive for update to authenticated
  using (not (select private.is_suspended()));

create policy "not the suspended" on public.audit_log
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "not the suspended" on public.token_ledger
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "not the suspended" on public.referral_codes
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "not the suspended" on public.referral_analytics
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "not the suspended" on public.page_views
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "not the suspended" on public.user_sessions
  as restrictive for all to authenticated using (not (select private.is_suspended()));

-- A suspension survives the deletion of the account: a new account with the same address is suspended again. Only a
-- hash of the address is kept, and only until then.
create table private.suspended_addresses (
  -- SHA-256 of the address in lower case.
  address bytea primary key,
  reason text not null,
  suspended_at timestamptz not null
);

create function private.remember_suspension() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.suspended_addresses (address, reason, suspended_at)
  select sha256(convert_to(lower(old.email), 'UTF8')), s.reason, s.suspended_at
  from public.suspensions as s where s.user_id = old.id and s.lifted_at is null and old.email is not null
  on conflict (address) do nothing;
  return old;
end
$$;
revoke all on function private.remember_suspension() from public;

create trigger remember_suspension
  before delete on public.users
  for each row execute function private.remember_suspension();

create function private.suspend_again() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  with known as (
    delete from private.suspended_addresses where address = sha256(convert_to(lower(new.email), 'UTF8'))
    returning reason, suspended_at
  )
  insert into public.suspensions (user_id, reason, suspended_at) select new.id, reason, suspended_at from known
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.suspend_again() from public;

-- Runs after "profile", whose row the suspension hides.
create trigger suspend_again
  after insert or update of email on public.users
  for each row execute function private.suspend_again();

-- The caller of a function that bypasses the policies: must be signed in and not suspended.
create function private.caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
begin
  if not exists (select from public.users where id = uid) then
    raise exception 'Sign in first.' using errcode = 'PT401';
  end if;
  if private.is_suspended() then
    raise exception 'Your account is suspended.' using errcode = '42501',
      hint = 'Settings says why. You can still export your data, delete the account, or write to us.';
  end if;
  return uid;
end
$$;
revoke all on function private.caller() from public;

create function private.admin_caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins may do this.' using errcode = '42501';
  end if;
  return auth.uid();
end
$$;
revoke all on function private.admin_caller() from public;

-- The profile of each account. Only its owner and admins read it. Public profiles will be a separate view, limited by
-- `public_profile`.
create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  -- Null for phone-only and anonymous accounts. Follows auth.users.
  email text check (char_length(email) <= 320),
  full_name text not null default '' check (char_length(full_name) <= 200),
  role text not null default 'fan' check (role in ('player', 'coach', 'scout', 'fan')),
  user_type text not null default 'fan' check (user_type in ('player', 'coach', 'scout', 'fan')),
  -- Set by `dugout admin grant`, never by a request.
  is_admin boolean not null default false,
  public_profile boolean not null default true,
  -- The sum of the user's lines in token_ledger, maintained by a trigger there.
  referral_tokens integer not null default 0 check (referral_tokens >= 0),
  bonus_tokens_awarded boolean not null default false,
  created_at timestamptz not null default now()
);

-- A policy on users that reads users would recurse; this function reads it as the table's owner.
create function private.is_admin() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.users where id = (select auth.uid()) and is_admin)
$$;
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to authenticated;

alter table public.users enable row level security;

create policy "owners and admins read" on public.users
  for select to authenticated
  using (id = (select auth.uid()) or (select private.is_admin()));

-- The page repeats the insert of the trigger on auth.users, as an upsert that ignores duplicates.
create policy "owners insert themselves" on public.users
  for insert to authenticated
  with check (
    id = (select auth.uid())
    and (email is null or lower(email) = lower((select auth.email())))
  );

create policy "owners update themselves" on public.users
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

-- Policies restrict rows, grants restrict columns: owners cannot write is_admin, the tokens and, once it is set, the
-- role.
revoke all on table public.users from anon, authenticated;
grant select on table public.users to authenticated;
grant insert (id, email, full_name, role, user_type, public_profile) on table public.users to authenticated;
grant update (full_name, public_profile) on table public.users to authenticated;

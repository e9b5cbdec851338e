-- Referral codes and their counters.
create table public.referral_codes (
  code text primary key check (char_length(code) between 1 and 64),
  -- One code per user. Null for campaign codes, which have no owner.
  owner_id uuid unique references public.users (id) on delete cascade,
  clicks integer not null default 0 check (clicks >= 0),
  conversions integer not null default 0 check (conversions >= 0),
  created_at timestamptz not null default now()
);

alter table public.referral_codes enable row level security;

create policy "owners and admins read" on public.referral_codes
  for select to authenticated
  using (owner_id = (select auth.uid()) or (select private.is_admin()));

revoke all on table public.referral_codes from anon, authenticated;
grant select on table public.referral_codes to authenticated;

-- Reports from visitors' pages, unverified: a code need not exist, and an address is only a claim.
create table public.referral_analytics (
  id bigint generated always as identity primary key,
  referral_code text not null check (char_length(referral_code) between 1 and 64),
  action text not null check (action in ('click', 'signup')),
  "timestamp" timestamptz not null default now(),
  ip_address text check (char_length(ip_address) <= 64),
  user_agent text check (char_length(user_agent) <= 1024),
  -- A user signs up once.
  converted_user_id uuid unique references public.users (id) on delete cascade,
  constraint referral_analytics_click_is_nobodys check (action <> 'click' or converted_user_id is null),
  constraint referral_analytics_signup_is_somebodys check (
    action <> 'signup' or (converted_user_id is not null and ip_address is null and user_agent is null))
);

alter table public.referral_analytics enable row level security;

-- Visitors' clocks may be wrong by hours; a timestamp more than a day ahead is rejected.
create policy "visitors report clicks" on public.referral_analytics
  for insert to anon
  with check (action = 'click' and "timestamp" <= now() + interval '1 day');

create policy "users report clicks and their own signup" on public.referral_analytics
  for insert to authenticated
  with check (
    (action = 'click' or converted_user_id = (select auth.uid()))
    and "timestamp" <= now() + interval '1 day'
  );

create policy "admins read" on public.referral_analytics
  for select to authenticated
  using ((select private.is_admin()));

revoke all on table public.referral_analytics from anon, authenticated;
grant select on table public.referral_analytics to authenticated;
grant insert (referral_code, action, "timestamp", ip_address, user_agent, converted_user_id)
  on table public.referral_analytics to anon, authenticated;

-- The prices of memberships, and who has which. There is no payment yet: everyone has BASIC, and the choice made before
-- sign-up is stored as a wish.

create table public.pricing_tiers (
  id text primary key check (id ~ '^[A-Z]{2,20}$'),
  name text not null,
  -- US dollars.
  price_monthly numeric(6, 2) not null check (price_monthly >= 0),
  tagline text not null,
  features text[] not null,
  "position" integer not null,
  active boolean not null default true
);

insert into public.pricing_tiers (id, name, price_monthly, tagline, features, "position") values
  ('BASIC', 'Basic', 0, 'Everything to be seen and to keep score.',
    array['Player, coach or scout profile', 'Measurements with their source', 'Season lines and percentiles', 'Rankings and leaderboards', 'Team communication'], 1),
  ('PRO', 'Pro', 4.99, 'For players who train with a plan.',
    array['Everything in Basic', 'AI personal coach', 'Predictive analytics', 'Training plans with workload'], 2),
  ('ELITE', 'Elite', 8.99, 'For the season before college.',
    array['Everything in Pro', 'Swing analysis with sharing', 'Recruiting board with fit by program', 'Priority verification at camps'], 3);

create table public.memberships (
  user_id uuid primary key references public.users (id) on delete cascade,
  tier text not null default 'BASIC' references public.pricing_tiers (id),
  -- The tier chosen before sign-up.
  wanted_tier text references public.pricing_tiers (id),
  since timestamptz not null default now()
);
create index memberships_tier_idx on public.memberships (tier);
create index memberships_wanted_tier_idx on public.memberships (wanted_tier);

create function private.start_membership() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into public.memberships (user_id, wanted_tier, since)
  select new.id, (
    select t.id from public.pricing_tiers as t
    join auth.users as a on a.id = new.id and t.id = upper(a.raw_user_meta_data ->> 'membership_tier')), new.created_at
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.start_membership() from public;

create trigger start_membership
  after insert on public.users
  for each row execute function private.start_membership();

insert into public.memberships (user_id, since) select id, created_at from public.users on conflict do nothing;

alter table public.pricing_tiers enable row level security;
create policy "everybody reads" on public.pricing_tiers for select to anon, authenticated using (active);
revoke all on table public.pricing_tiers from anon, authenticated;
grant select on table public.pricing_tiers to anon, authenticated;

alter table public.memberships enable row level security;
create policy "owners and admins read" on public.memberships
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
revoke all on table public.memberships from anon, authenticated;
grant select on table public.memberships to authenticated;

-- When colleges may contact players. The NCAA changes these days every year, so admins enter them, each with its source and the day
-- on which it was checked.

create table public.recruiting_periods (
  id uuid primary key default gen_random_uuid(),
  division smallint not null check (division between 1 and 3),
  kind text not null check (kind in ('contact', 'evaluation', 'quiet', 'dead')),
  starts_on date not null check (starts_on >= '2020-01-01'),
  ends_on date not null check (ends_on <= '2100-12-31'),
  -- Where it is written, and when somebody looked.
  source text not null check (char_length(btrim(source)) between 3 and 300),
  checked_on date not null check (checked_on between '2020-01-01' and '2100-12-31'),
  created_at timestamptz not null default now(),
  constraint recruiting_periods_dates_in_order check (ends_on >= starts_on and ends_on < starts_on + 400),
  constraint recruiting_periods_once_key unique (division, starts_on)
);

alter table public.recruiting_periods enable row level security;
create policy "users read" on public.recruiting_periods for select to authenticated using ((select auth.uid()) is not null);
create policy "admins insert" on public.recruiting_periods for insert to authenticated with check ((select private.is_admin()));
create policy "admins update" on public.recruiting_periods for update to authenticated using ((select private.is_admin()));
create policy "admins delete" on public.recruiting_periods for delete to authenticated using ((select private.is_admin()));
create policy "not the suspended" on public.recruiting_periods
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "only the app itself" on public.recruiting_periods
  as restrictive for all to authenticated
  using ((select private.is_own_app())) with check ((select private.is_own_app()));
revoke all on table public.recruiting_periods from anon, authenticated;
grant select, delete on table public.recruiting_periods to authenticated;
grant insert (id, division, kind, starts_on, ends_on, source, checked_on), update (kind, starts_on, ends_on, source, checked_on)
  on table public.recruiting_periods to authenticated;

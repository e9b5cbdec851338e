-- What signed-in users view, and for how long.
create table public.page_views (
  id bigint generated always as identity primary key,
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  page_path text not null check (char_length(page_path) between 1 and 2048),
  viewed_at timestamptz not null default now()
);
create index page_views_user_id_idx on public.page_views (user_id, viewed_at desc);

alter table public.page_views enable row level security;

create policy "owners and admins read" on public.page_views
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create policy "owners insert" on public.page_views
  for insert to authenticated
  with check (user_id = (select auth.uid()) and viewed_at <= now() + interval '1 day');

revoke all on table public.page_views from anon, authenticated;
grant select on table public.page_views to authenticated;
grant insert (user_id, page_path, viewed_at) on table public.page_views to authenticated;

-- A visit, with at most 30 minutes between two page views. The page decides when a new visit begins.
create table public.user_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  session_start timestamptz not null default now(),
  last_activity timestamptz not null default now(),
  device_type text not null check (device_type in ('Mobile', 'Tablet', 'Desktop')),
  -- Seconds.
  session_duration integer not null default 0 check (session_duration >= 0)
);
create index user_sessions_user_id_idx on public.user_sessions (user_id, last_activity desc);

alter table public.user_sessions enable row level security;

create policy "owners and admins read" on public.user_sessions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create policy "owners insert" on public.user_sessions
  for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and session_start <= now() + interval '1 day'
    and last_activity <= now() + interval '1 day'
  );

create policy "owners update" on public.user_sessions
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()) and last_activity <= now() + interval '1 day');

revoke all on table public.user_sessions from anon, authenticated;
grant select on table public.user_sessions to authenticated;
grant insert (user_id, session_start, last_activity, device_type, session_duration)
  on table public.user_sessions to authenticated;
grant update (last_activity, session_duration) on table public.user_sessions to authenticated;

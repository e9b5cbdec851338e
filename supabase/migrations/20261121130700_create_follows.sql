-- Private data of users: whom they follow, scouts' notes, notification preferences.

create table public.follows (
  follower_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  followed_id uuid not null references public.profiles (id) on delete cascade,
  muted boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (follower_id, followed_id),
  constraint follows_not_oneself check (follower_id <> followed_id)
);
create index follows_followed_id_idx on public.follows (followed_id);

alter table public.follows enable row level security;
create policy "owners read" on public.follows for select to authenticated using (follower_id = (select auth.uid()));
create policy "owners follow whom they may see" on public.follows
  for insert to authenticated
  with check (
    follower_id = (select auth.uid())
    and (select private.may_publish())
    and exists (select from public.profiles as p where p.id = followed_id)
  );
create policy "owners mute" on public.follows for update to authenticated using (follower_id = (select auth.uid()));
create policy "owners unfollow" on public.follows for delete to authenticated using (follower_id = (select auth.uid()));
create policy "not the suspended" on public.follows
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.follows from anon, authenticated;
grant select, delete on table public.follows to authenticated;
grant insert (follower_id, followed_id, muted), update (muted) on table public.follows to authenticated;

-- A scout's private notes; admins cannot read them either.
create table public.scout_notes (
  id uuid primary key default gen_random_uuid(),
  scout_id uuid not null default auth.uid() references public.scouts (user_id) on delete cascade,
  player_id uuid not null references public.profiles (id) on delete cascade,
  body text not null default '' check (char_length(body) <= 5000),
  -- By tool, 20 to 80: {"hit": 55, "run": 60}. The page checks the numbers.
  grades jsonb not null default '{}' check (jsonb_typeof(grades) = 'object' and octet_length(grades::text) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index scout_notes_scout_id_idx on public.scout_notes (scout_id, player_id);
create index scout_notes_player_id_idx on public.scout_notes (player_id);
create trigger touch before update on public.scout_notes for each row execute function private.touch();

alter table public.scout_notes enable row level security;
create policy "owners read" on public.scout_notes for select to authenticated using (scout_id = (select auth.uid()));
create policy "scouts note on whom they may see" on public.scout_notes
  for insert to authenticated
  with check (scout_id = (select auth.uid()) and exists (select from public.profiles as p where p.id = player_id));
create policy "owners update" on public.scout_notes for update to authenticated using (scout_id = (select auth.uid()));
create policy "owners delete" on public.scout_notes for delete to authenticated using (scout_id = (select auth.uid()));
create policy "not the suspended" on public.scout_notes
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.scout_notes from anon, authenticated;
grant select, delete on table public.scout_notes to authenticated;
grant insert (id, scout_id, player_id, body, grades), update (body, grades) on table public.scout_notes to authenticated;

create table public.watchlists (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80),
  created_at timestamptz not null default now(),
  unique (owner_id, name)
);

create table public.watchlist_players (
  watchlist_id uuid not null references public.watchlists (id) on delete cascade,
  player_id uuid not null references public.profiles (id) on delete cascade,
  note text check (char_length(note) <= 500),
  added_at timestamptz not null default now(),
  primary key (watchlist_id, player_id)
);
create index watchlist_players_player_id_idx on public.watchlist_players (player_id);

alter table public.watchlists enable row level security;
create policy "owners" on public.watchlists for all to authenticated using (owner_id = (select auth.uid()));
create policy "not the suspended" on public.watchlists
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.watchlists from anon, authenticated;
grant select, delete on table public.watchlists to authenticated;
grant insert (id, owner_id, name), update (name) on table public.watchlists to authenticated;

alter table public.watchlist_players enable row level security;
create policy "owners" on public.watchlist_players
  for all to authenticated
  using (exists (select from public.watchlists as w where w.id = watchlist_id))
  with check (
    exists (select from public.watchlists as w where w.id = watchlist_id)
    and exists (select from public.profiles as p where p.id = player_id)
  );
create policy "not the suspended" on public.watchlist_players
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.watchlist_players from anon, authenticated;
grant select, delete on table public.watchlist_players to authenticated;
grant insert (watchlist_id, player_id, note), update (note) on table public.watchlist_players to authenticated;

-- Without a row, notifications are on: only changed preferences are stored.
create table public.notification_preferences (
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  topic text not null check (topic in ('verification', 'follows', 'team', 'recruiting', 'referrals', 'news', 'security')),
  channel text not null check (channel in ('app', 'email')),
  enabled boolean not null,
  primary key (user_id, topic, channel),
  -- An attacker who takes over an account must not be able to silence security notifications.
  constraint notification_preferences_security_is_on check (enabled or topic <> 'security')
);

alter table public.notification_preferences enable row level security;
create policy "owners" on public.notification_preferences for all to authenticated using (user_id = (select auth.uid()));
create policy "not the suspended" on public.notification_preferences
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.notification_preferences from anon, authenticated;
grant select, delete on table public.notification_preferences to authenticated;
-- An upsert of supabase-js writes every column it is given.
grant insert (user_id, topic, channel, enabled), update (user_id, topic, channel, enabled)
  on table public.notification_preferences to authenticated;

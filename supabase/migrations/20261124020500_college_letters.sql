-- Letters to colleges, beside the college board. A letter is a template with fields such as {program}, which the page fills in.
-- Users copy or print it; the app does not send it.

create table public.college_letters (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  title text not null check (char_length(btrim(title)) between 1 and 120),
  body text not null check (char_length(btrim(body)) between 1 and 4000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint college_letters_once_key unique (player_id, title)
);
create trigger touch before update on public.college_letters for each row execute function private.touch();
create trigger limit_rows before insert on public.college_letters for each row execute function private.limit_college_rows('20');

alter table public.college_letters enable row level security;
create policy "owners, guardians and their coaches read" on public.college_letters
  for select to authenticated
  using (
    player_id = (select auth.uid())
    or player_id in (select private.wards())
    or player_id in (select private.shared_boards())
  );
create policy "owners and guardians insert" on public.college_letters
  for insert to authenticated
  with check (
    (player_id = (select auth.uid()) and (select private.may_publish()))
    or player_id in (select private.active_wards())
  );
create policy "owners and guardians update" on public.college_letters
  for update to authenticated
  using (
    (player_id = (select auth.uid()) and (select private.may_publish()))
    or player_id in (select private.active_wards())
  );
create policy "owners and guardians delete" on public.college_letters
  for delete to authenticated
  using (player_id = (select auth.uid()) or player_id in (select private.active_wards()));
create policy "not the suspended" on public.college_letters
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "only the app itself" on public.college_letters
  as restrictive for all to authenticated
  using ((select private.is_own_app())) with check ((select private.is_own_app()));
revoke all on table public.college_letters from anon, authenticated;
grant select, delete on table public.college_letters to authenticated;
grant insert (id, player_id, title, body), update (title, body) on table public.college_letters to authenticated;
insert into private.exported (name, owner) values ('college_letters', 'player_id');

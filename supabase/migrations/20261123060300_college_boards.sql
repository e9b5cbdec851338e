-- A player's way to college: the board of programs, contacts, tasks. Read and written by the player and the guardian, read by
-- coaches of the player's teams if the player or the guardian shares it. Nobody else knows of it.

create table public.college_plans (
  player_id uuid primary key references public.players (user_id) on delete cascade,
  shared_with_coaches boolean not null default false,
  -- A wOBA, or a pitcher's K-BB%, as a Division I freshman that the player asks about.
  what_if numeric check (what_if between -0.5 and 1),
  updated_at timestamptz not null default now()
);
create trigger touch before update on public.college_plans for each row execute function private.touch();

create table public.college_targets (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  program_id text not null references public.programs (id),
  status text not null default 'interested' check (status in ('interested', 'contacted', 'in_touch', 'visit', 'offer')),
  next_step text check (char_length(next_step) <= 200),
  next_on date check (next_on between '2000-01-01' and '2100-12-31'),
  notes text check (char_length(notes) <= 4000),
  visit_on date check (visit_on between '2000-01-01' and '2100-12-31'),
  visit_kind text check (visit_kind in ('official', 'unofficial', 'camp')),
  offer text check (char_length(offer) <= 500),
  reply_by date check (reply_by between '2000-01-01' and '2100-12-31'),
  created_at timestamptz not null default now(),
  constraint college_targets_once_key unique (player_id, program_id),
  constraint college_targets_owner_key unique (player_id, id)
);
create index college_targets_program_id_idx on public.college_targets (program_id);

create table public.college_contacts (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  target_id uuid not null,
  kind text not null check (kind in ('email', 'call', 'text', 'letter', 'visit', 'camp')),
  -- Whether the college wrote or called.
  received boolean not null default false,
  happened_on date not null default (now() at time zone 'utc')::date check (happened_on between '2000-01-01' and '2100-12-31'),
  person text check (char_length(person) <= 120),
  body text check (char_length(body) <= 2000),
  created_at timestamptz not null default now(),
  constraint college_contacts_target_fkey foreign key (player_id, target_id)
    references public.college_targets (player_id, id) on delete cascade
);
create index college_contacts_target_idx on public.college_contacts (player_id, target_id, happened_on desc);

create table public.college_tasks (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  grade smallint not null check (grade between 9 and 12),
  title text not null check (char_length(btrim(title)) between 1 and 160),
  due_on date check (due_on between '2000-01-01' and '2100-12-31'),
  done_on date,
  created_at timestamptz not null default now(),
  constraint college_tasks_once_key unique (player_id, grade, title)
);

-- A limit for each player's rows. Rows of one player are counted one after the other.
create function private.limit_college_rows() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  rows bigint;
begin
  perform from public.players as p where p.user_id = new.player_id for no key update;
  execute format('select count(*) from public.%I as t where t.player_id = $1', tg_table_name) into rows using new.player_id;
  if rows >= tg_argv[0]::integer then
    raise exception '% are enough here.', tg_argv[0] using errcode = 'PT409', hint = 'Remove some first.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_college_rows() from public;
create trigger limit_rows before insert on public.college_targets for each row execute function private.limit_college_rows('150');
create trigger limit_rows before insert on public.college_contacts for each row execute function private.limit_college_rows('2000');
create trigger limit_rows before insert on public.college_tasks for each row execute function private.limit_college_rows('200');

-- The players whose boards the caller reads as a coach.
create function private.shared_boards() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select p.player_id from public.college_plans as p
  where p.shared_with_coaches and p.player_id in (select private.coached_players()) and (select private.is_own_app())
$$;
revoke all on function private.shared_boards() from public;
grant execute on function private.shared_boards() to authenticated;

do $policies$
declare
  about text;
begin
  foreach about in array array['college_plans', 'college_targets', 'college_contacts', 'college_tasks'] loop
    execute format($sql$
      alter table public.%1$I enable row level security;
      create policy "owners, guardians and their coaches read" on public.%1$I
        for select to authenticated
        using (
          player_id = (select auth.uid())
          or player_id in (select private.wards())
          or player_id in (select private.shared_boards())
        );
      create policy "owners and guardians insert" on public.%1$I
        for insert to authenticated
        with check (
          (player_id = (select auth.uid()) and (select private.may_publish()))
          or player_id in (select private.active_wards())
        );
      create policy "owners and guardians update" on public.%1$I
        for update to authenticated
        using (
          (player_id = (select auth.uid()) and (select private.may_publish()))
          or player_id in (select private.active_wards())
        );
      create policy "owners and guardians delete" on public.%1$I
        for delete to authenticated
        using (player_id = (select auth.uid()) or player_id in (select private.active_wards()));
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      create policy "only the app itself" on public.%1$I
        as restrictive for all to authenticated
        using ((select private.is_own_app())) with check ((select private.is_own_app()));
      revoke all on table public.%1$I from anon, authenticated;
      grant select, delete on table public.%1$I to authenticated;
    $sql$, about);
  end loop;
end
$policies$;
grant insert (player_id, shared_with_coaches, what_if), update (shared_with_coaches, what_if) on table public.college_plans to authenticated;
grant insert (id, player_id, program_id, status, next_step, next_on, notes, visit_on, visit_kind, offer, reply_by),
  update (status, next_step, next_on, notes, visit_on, visit_kind, offer, reply_by) on table public.college_targets to authenticated;
grant insert (id, player_id, target_id, kind, received, happened_on, person, body), update (kind, received, happened_on, person, body)
  on table public.college_contacts to authenticated;
grant insert (id, player_id, grade, title, due_on, done_on), update (title, due_on, done_on) on table public.college_tasks to authenticated;

insert into private.exported (name, owner) values
  ('college_plans', 'player_id'), ('college_targets', 'player_id'), ('college_contacts', 'player_id'), ('college_tasks', 'player_id');

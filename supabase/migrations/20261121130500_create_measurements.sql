-- Measurements, each with its source: self, a coach of the team, an event, a device's export, the scorebook. Players
-- cannot write the verification.

create table public.measurement_kinds (
  kind text primary key check (kind ~ '^[a-z0-9_]{2,40}$'),
  label text not null,
  unit text not null,
  lower_is_better boolean not null default false,
  -- Values outside this range are typing errors.
  minimum numeric not null,
  maximum numeric not null,
  decimals integer not null check (decimals between 0 and 3),
  -- The order on the page.
  "position" integer not null,
  active boolean not null default true
);

insert into public.measurement_kinds (kind, label, unit, lower_is_better, minimum, maximum, decimals, "position") values
  ('sixty_yard_dash', '60-yard dash', 's', true, 5.8, 15, 2, 1),
  ('home_to_first', 'Home to first', 's', true, 3.3, 10, 2, 2),
  ('exit_velocity_max', 'Exit velocity, maximum', 'mph', false, 20, 125, 1, 3),
  ('exit_velocity_avg', 'Exit velocity, average', 'mph', false, 15, 115, 1, 4),
  ('bat_speed', 'Bat speed', 'mph', false, 15, 95, 1, 5),
  ('fastball_max', 'Fastball, maximum', 'mph', false, 25, 106, 1, 6),
  ('fastball_avg', 'Fastball, average', 'mph', false, 25, 104, 1, 7),
  ('spin_rate', 'Fastball spin', 'rpm', false, 500, 3800, 0, 8),
  ('infield_velocity', 'Infield velocity', 'mph', false, 20, 105, 1, 9),
  ('outfield_velocity', 'Outfield velocity', 'mph', false, 20, 110, 1, 10),
  ('catcher_velocity', 'Catcher velocity', 'mph', false, 20, 95, 1, 11),
  ('pop_time', 'Pop time', 's', true, 1.6, 5, 2, 12),
  ('vertical_jump', 'Vertical jump', 'in', false, 4, 50, 1, 13),
  ('grip_strength', 'Grip strength', 'lb', false, 10, 250, 0, 14);

create table public.measurements (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  kind text not null references public.measurement_kinds (kind),
  value numeric not null,
  -- Copied from the kind by a trigger: a number needs its unit.
  unit text not null default '',
  source text not null check (source in ('self', 'coach', 'event', 'device', 'scorebook')),
  event text check (char_length(event) <= 120),
  taken_at date not null default (now() at time zone 'utc')::date check (taken_at >= '1950-01-01'),
  -- The player asks the coaches of the team to verify the measurement.
  verification_asked boolean not null default false,
  verified_by uuid references public.profiles (id) on delete set null,
  verified_at timestamptz,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now()
);
create index measurements_player_id_idx on public.measurements (player_id, kind, taken_at desc);
create index measurements_kind_idx on public.measurements (kind);
create index measurements_verified_by_idx on public.measurements (verified_by);
create index measurements_created_by_idx on public.measurements (created_by);
create index measurements_verified_at_idx on public.measurements (verified_at desc) where verified_at is not null;

create function private.check_measurement() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  measured public.measurement_kinds;
begin
  select * into measured from public.measurement_kinds where kind = new.kind;
  if not found then
    return new; -- The foreign key says it.
  end if;
  if new.value not between measured.minimum and measured.maximum then
    raise exception '% is measured between % and % %.', measured.label, measured.minimum, measured.maximum, measured.unit
      using errcode = '23514';
  end if;
  if new.taken_at > (now() at time zone 'utc')::date + 1 then
    raise exception 'A measurement was taken in the past.' using errcode = '23514';
  end if;
  new.value := round(new.value, measured.decimals);
  new.unit := measured.unit;
  if tg_op = 'INSERT' and auth.uid() is not null then
    new.created_by := auth.uid();
    -- The policy has let only a coach of the player's team write such a row, and has its word again after this.
    if new.source = 'coach' then
      new.verified_by := auth.uid();
      new.verified_at := now();
    end if;
  end if;
  return new;
end
$$;
revoke all on function private.check_measurement() from public;

create trigger check_measurement
  before insert or update of kind, value, unit, taken_at on public.measurements
  for each row execute function private.check_measurement();

-- A measurement that is verified, or that someone else entered, cannot be changed; that includes its event.
create function private.keep_event() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.event is distinct from old.event and auth.uid() is not null
    and (old.verified_at is not null or old.source not in ('self', 'device'))
  then
    raise exception 'What was verified cannot be changed.' using errcode = '42501', hint = 'Delete it and add it anew.';
  end if;
  return new;
end
$$;
revoke all on function private.keep_event() from public;

create trigger keep_event
  before update of event on public.measurements
  for each row execute function private.keep_event();

-- By a coach of the player's team or an admin, who can also withdraw it.
create function public.verify_measurement(measurement_id uuid, verified boolean default true) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  subject uuid;
begin
  select m.player_id into subject from public.measurements as m where m.id = measurement_id;
  if subject is null or subject = uid
    or not (private.is_admin() or subject in (select private.coached_players()))
  then
    raise exception 'Only a coach of the player''s team can verify this.' using errcode = '42501';
  end if;
  update public.measurements
  set verified_by = case when verified then uid end,
      verified_at = case when verified then now() end,
      verification_asked = verification_asked and not verified
  where id = measurement_id;
  perform private.audit(case when verified then 'measurement_verified' else 'verification_withdrawn' end,
    measurement_id::text, null, jsonb_build_object('player_id', subject));
end
$$;
revoke all on function public.verify_measurement(uuid, boolean) from public, anon, authenticated;
grant execute on function public.verify_measurement(uuid, boolean) to authenticated;

alter table public.measurement_kinds enable row level security;
create policy "everybody reads" on public.measurement_kinds for select to anon, authenticated using (active);
revoke all on table public.measurement_kinds from anon, authenticated;
grant select on table public.measurement_kinds to anon, authenticated;

alter table public.measurements enable row level security;
create policy "everybody reads those of whom they may see" on public.measurements
  for select to anon, authenticated
  using (exists (select from public.profiles as p where p.id = player_id));
create policy "owners, guardians and coaches insert" on public.measurements
  for insert to authenticated
  with check (
    (
      source in ('self', 'device')
      and verified_by is null
      and (
        (player_id = (select auth.uid()) and (select private.may_publish()))
        or player_id in (select private.active_wards())
      )
    )
    or (
      source = 'coach'
      and player_id <> (select auth.uid())
      and player_id in (select private.coached_players())
      and exists (select from public.players as p where p.user_id = player_id and p.accept_coach_stats)
    )
  );
create policy "owners and guardians ask" on public.measurements
  for update to authenticated
  using (
    (player_id = (select auth.uid()) and (select private.may_publish()))
    or player_id in (select private.active_wards())
  );
create policy "owners, guardians and authors delete" on public.measurements
  for delete to authenticated
  using (
    player_id = (select auth.uid())
    or player_id in (select private.active_wards())
    or (source = 'coach' and created_by = (select auth.uid()))
  );
create policy "not the suspended" on public.measurements
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.measurements from anon, authenticated;
grant select on table public.measurements to anon, authenticated;
grant insert (id, player_id, kind, value, source, event, taken_at, verification_asked),
  update (event, verification_asked), delete on table public.measurements to authenticated;

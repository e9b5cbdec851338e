-- Search over players, coaches and teams. The index holds public profiles only, so that a private profile changes neither a
-- result, a count nor the time that an answer takes. Players under 13 are never public.
create extension if not exists pg_trgm with schema extensions;

-- Names are compared without case, accents, apostrophes and points.
create function private.folded(name text) returns text
language sql immutable strict parallel safe
set search_path = ''
as $$ select lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f''’.]', '', 'g')) $$;
revoke all on function private.folded(text) from public;

-- What the index contains. Readers also compare shown_from with today: a profile that one of two guardians hides is shown from
-- the eighteenth birthday, on which no row changes.
create view private.searchable as
select p.id, p.role, private.folded(p.full_name) collate "C" as name, p.shown_from, w.grad_year, w.position_group,
  coalesce(w.positions, '{}') as positions, w.state, w.bats, w.throws, w.height_in,
  n.velocity, n.verified_velocity, coalesce(n.verified, false) as verified
from public.profiles as p
left join public.players as w on w.user_id = p.id and p.role = 'player'
left join lateral (
  select max(k.value) filter (where k.metric = any (arm.metrics)) as velocity,
    max(k.value) filter (where k.metric = any (arm.metrics) and k.verified) as verified_velocity,
    bool_or(k.verified) as verified
  from public.player_numbers as k,
    (values (array['fastball_max', 'infield_velocity', 'outfield_velocity', 'catcher_velocity'])) as arm (metrics)
  where k.player_id = w.user_id
) as n on true
where p.public_profile and p.shown_from < 'infinity' and p.role in ('player', 'coach') and p.full_name <> '';

create table private.search_people (
  id uuid primary key references public.profiles (id) on delete cascade,
  role text not null,
  -- Folded; in the order of its bytes, so that an index finds prefixes.
  name text collate "C" not null,
  shown_from date not null,
  grad_year integer,
  position_group text,
  positions text[] not null,
  state text,
  bats text,
  throws text,
  height_in numeric,
  -- The fastest throw of any kind, and the fastest verified one.
  velocity numeric,
  verified_velocity numeric,
  verified boolean not null
);
create index search_people_name_trgm_idx on private.search_people using gin (name extensions.gin_trgm_ops);
create index search_people_order_idx on private.search_people (role, name, id);
create index search_people_class_idx on private.search_people (grad_year) where role = 'player';
create index search_people_state_idx on private.search_people (state) where role = 'player';
create index search_people_positions_idx on private.search_people using gin (positions) where role = 'player';
create index search_people_velocity_idx on private.search_people (velocity) where role = 'player';

create function private.index_people(people uuid[]) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Two changes of one person are indexed one after the other, and the second sees what the first has done.
  perform from public.profiles as p where p.id = any (people) order by p.id for no key update;
  delete from private.search_people as s
  where s.id = any (people) and not exists (select from private.searchable as now where now.id = s.id);
  insert into private.search_people as s
  select now.id, now.role, now.name, now.shown_from, now.grad_year, now.position_group, now.positions, now.state, now.bats,
    now.throws, now.height_in, now.velocity, now.verified_velocity, now.verified
  from private.searchable as now where now.id = any (people)
  on conflict (id) do update
  set role = excluded.role, name = excluded.name, shown_from = excluded.shown_from, grad_year = excluded.grad_year,
    position_group = excluded.position_group, positions = excluded.positions, state = excluded.state, bats = excluded.bats,
    throws = excluded.throws, height_in = excluded.height_in, velocity = excluded.velocity,
    verified_velocity = excluded.verified_velocity, verified = excluded.verified
  where s is distinct from excluded;
end
$$;
revoke all on function private.index_people(uuid[]) from public;

create function private.keep_searchable() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  people uuid[];
begin
  execute format('select array_agg(distinct %I) from changed', tg_argv[0]) into people;
  perform private.index_people(people);
  return null;
end
$$;
revoke all on function private.keep_searchable() from public;

do $triggers$
declare
  source record;
begin
  for source in select * from (values ('profiles', 'id'), ('players', 'user_id'), ('player_numbers', 'player_id')) as s (name, person) loop
    execute format($sql$
      create trigger searchable_new after insert on public.%1$I
        referencing new table as changed for each statement execute function private.keep_searchable(%2$L);
      create trigger searchable_changed after update on public.%1$I
        referencing new table as changed for each statement execute function private.keep_searchable(%2$L);
    $sql$, source.name, source.person);
  end loop;
end
$triggers$;
create trigger searchable_gone after delete on public.player_numbers
  referencing old table as changed for each statement execute function private.keep_searchable('player_id');

select private.index_people(array_agg(id)) from public.profiles;

-- private.folded() written out: an index calls functions in the role of whoever changes the row, who may not call that one.
create index teams_name_trgm_idx on public.teams
  using gin (lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f''’.]', '', 'g')) extensions.gin_trgm_ops)
  where active and vetted;

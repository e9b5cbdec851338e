-- Typical tables of an app: keys, owners, policies on everything, full-text search.
create table public.bench_people (
  id int primary key,
  name text not null
);
create table public.bench_items (
  id bigint primary key,
  owner_id uuid not null,
  person_id int not null references public.bench_people,
  category int not null,
  title text not null,
  published boolean not null,
  words tsvector generated always as (to_tsvector('english', title)) stored
);
create index on public.bench_items (category, id);
create table public.bench_notes (
  id bigint primary key,
  item_id bigint not null references public.bench_items,
  text text not null
);
create index on public.bench_notes (item_id);
create table public.bench_log (
  id bigint generated always as identity primary key,
  author uuid default auth.uid(),
  item bigint not null,
  text text not null
);

alter table public.bench_people enable row level security;
alter table public.bench_items enable row level security;
alter table public.bench_notes enable row level security;
alter table public.bench_log enable row level security;
create policy "everybody reads" on public.bench_people for select to anon, authenticated using (true);
create policy "visitors read what is published" on public.bench_items for select to anon using (published);
create policy "users read their own, too" on public.bench_items for select to authenticated
  using (published or owner_id = (select auth.uid()));
create policy "everybody reads" on public.bench_notes for select to anon, authenticated using (true);
create policy "visitors write without a name" on public.bench_log for insert to anon with check (author is null);
create policy "users write in their own" on public.bench_log for insert to authenticated
  with check (author = (select auth.uid()));
grant select on public.bench_people, public.bench_items, public.bench_notes to anon, authenticated;
grant insert on public.bench_log to anon, authenticated;

create function public.bench_neighbours(item bigint) returns table (id bigint, title text) stable language sql as $$
  select i.id, i.title from public.bench_items i where i.id between item - 2 and item + 2 order by i.id
$$;

insert into public.bench_people select n, 'person ' || n from generate_series(1, 1000) n;
-- The variable `users` is an array of uuids.
insert into public.bench_items
  select n, (:'users'::uuid[])[1 + n % 10], 1 + n % 1000, 1 + n % 2000,
         'item ' || n || ' of lot ' || 1 + n % 2000 || ', ' || md5(n::text), n % 10 <> 0
  from generate_series(1, 100000) n;
insert into public.bench_notes select n, 1 + n % 100000, 'note ' || n from generate_series(1, 300000) n;
-- Removes the role's statement timeout for large measurements.
create function public.bench_patience() returns void language sql as
  $$ select set_config('statement_timeout', '120000', true) $$;
-- A long response: 100,000 rows, 28 MB of JSON.
create table public.bench_readings as
  select n as id, repeat(md5(n::text), 8) as text from generate_series(1, 100000) n;
grant select on public.bench_readings to anon;
vacuum analyze public.bench_people, public.bench_items, public.bench_notes, public.bench_readings;

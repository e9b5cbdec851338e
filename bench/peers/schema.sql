-- The same tables twice, without and with row level security.
drop table if exists public.peer_items, public.peer_items_rls, public.peer_log, public.peer_log_rls;
create table public.peer_items (
  id bigint primary key,
  category int not null,
  title text not null,
  owner_id uuid not null,
  words tsvector generated always as (to_tsvector('english', title)) stored
);
create table public.peer_items_rls (like public.peer_items including all);
create table public.peer_log (
  id bigint generated always as identity primary key,
  author uuid,
  item bigint not null,
  text text not null
);
create table public.peer_log_rls (like public.peer_log including all);
alter table public.peer_log_rls alter author set default auth.uid();
create index on public.peer_items using gin (words);
create index on public.peer_items_rls using gin (words);

alter table public.peer_items_rls enable row level security;
alter table public.peer_log_rls enable row level security;
create policy "users read their own" on public.peer_items_rls for select to authenticated
  using (owner_id = (select auth.uid()));
create policy "users write in their own name" on public.peer_log_rls for insert to authenticated
  with check (author = (select auth.uid()));
grant select on public.peer_items to anon;
grant insert on public.peer_log to anon;
grant select on public.peer_items_rls to authenticated;
grant insert on public.peer_log_rls to authenticated;

-- The variable `subject` is the user's id.
insert into public.peer_items
  select n, 1 + n % 2000, 'item ' || n || ' of lot ' || 1 + n % 2000 || ', ' || md5(n::text), :'subject'
  from generate_series(1, 100000) n;
insert into public.peer_items_rls select id, category, title, owner_id from public.peer_items;
vacuum analyze public.peer_items, public.peer_items_rls;

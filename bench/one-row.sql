-- A typical table of an app: rows with an owner, and a policy.
create table public.bench_rows (
  id bigint primary key,
  owner_id uuid not null,
  note text not null
);
alter table public.bench_rows enable row level security;
create policy "owners read" on public.bench_rows for select to authenticated using (owner_id = (select auth.uid()));
grant select on public.bench_rows to authenticated;

-- Rules that every present and future table and function must follow, like those of Supabase's database linter. The privileges
-- as lists to read are in privileges.sql.
begin;
select plan(19);

select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity$$,
  'every table in public has row level security');
select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace
      and (relkind in ('m', 'f') or (relkind = 'v' and not coalesce(reloptions @> array['security_invoker=true'], false)))$$,
  'no view or foreign table in public bypasses row level security');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and 'public' = any (roles)$$,
  'every policy names its roles');
select is_empty(
  $$select tablename, role, command, count(*)
    from pg_policies, unnest(roles) as role,
      unnest(case cmd when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[cmd] end) as command
    where schemaname = 'public' and permissive = 'PERMISSIVE'
    group by 1, 2, 3 having count(*) > 1$$,
  'there is one permissive policy per table, role and command');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public'
      and regexp_replace(concat_ws(' ', qual, with_check), '\( SELECT (auth|private)\.\w+\(\) AS \w+\)', '', 'g') ~ '(auth|private)\.'$$,
  'policies evaluate functions of the caller once per statement');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public' and concat_ws(' ', qual, with_check) ~ '(user_metadata|raw_user_meta_data|jwt)'$$,
  'policies do not use metadata that users can edit');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and (qual = 'true' or with_check = 'true')$$,
  'no policy is always true');
select is_empty(
  $$select oid::regprocedure from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not coalesce(proconfig @> array['search_path=""'], false)$$,
  'all functions have an empty search_path');
select is_empty(
  $$select extname from pg_extension where extnamespace = 'public'::regnamespace$$,
  'no extension is in public');
select is_empty(
  $$select conrelid::regclass, conname from pg_constraint
    where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (
        select from pg_index
        where indrelid = conrelid and indpred is null and indkey[0] = conkey[1])$$,
  'every foreign key has an index');

-- Query plans: for every table and command, as a signed-in user, the filter on each row must not evaluate who the
-- caller is. Such subqueries must be InitPlans or hashed SubPlans, which run once per statement.
create function pg_temp.asked_per_row() returns table (plan text)
language plpgsql
as $$
declare
  relation record;
  command text;
begin
  perform set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}', true);
  perform set_config('role', 'authenticated', true);
  for relation in
    select c.oid, c.relname, (
      select a.attname from pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and has_column_privilege(c.oid, a.attnum, 'update') limit 1) as writable,
      has_table_privilege(c.oid, 'delete') as deletable
    from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  loop
    foreach command in array array[
      format('select from public.%I', relation.relname),
      case when relation.writable is not null then format('update public.%I set %2$I = %2$I', relation.relname, relation.writable) end,
      case when relation.deletable then format('delete from public.%I', relation.relname) end]
    loop
      continue when command is null;
      for plan in execute 'explain (costs off) ' || command loop
        if plan ~ '^ *(Filter|Index Cond|Recheck Cond|Join Filter|Hash Cond):' and plan ~ '(current_setting|auth\.|private\.)' then
          plan := command || ': ' || plan;
          return next;
        end if;
      end loop;
    end loop;
  end loop;
  perform set_config('role', 'none', true);
end
$$;
select is_empty('select plan from pg_temp.asked_per_row()', 'no plan evaluates the caller for each row');
-- The check detects a careless policy.
create table public.careless (owner_id uuid);
alter table public.careless enable row level security;
grant select on public.careless to authenticated;
create policy "owners" on public.careless for select to authenticated using (owner_id = auth.uid());
select is((select count(*) from pg_temp.asked_per_row()), 1::bigint, 'the check detects such a plan');
drop table public.careless;

select is_empty(
  $$select p.tablename, p.policyname, a.attname
    from pg_policies as p
    join pg_class as c on c.relname = p.tablename and c.relnamespace = p.schemaname::regnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
    where p.schemaname = 'public' and p.cmd <> 'INSERT'
      and coalesce(p.qual, '') ~ ('\m' || a.attname || ' (= \( SELECT auth\.uid|IN \( SELECT private\.)')
      and not exists (select from pg_index as i where i.indrelid = c.oid and i.indpred is null and i.indkey[0] = a.attnum)$$,
  'columns that policies compare with the caller have an index');
select is_empty(
  $$select tablename from pg_policies where schemaname = 'public' group by tablename
    having bool_or('authenticated' = any (roles)) and not bool_or(permissive = 'RESTRICTIVE' and qual ~ 'is_suspended')
      and tablename not in ('suspensions', 'memberships', 'measurement_kinds', 'pricing_tiers', 'contact_messages')$$,
  'suspended users are excluded from every table, with listed exceptions');
select is_empty(
  $$select c.relname from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
      select from pg_policy as p
      where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*' and p.polroles = array['authenticated'::regrole::oid]
        and pg_get_expr(p.polqual, c.oid) ~ 'is_own_app' and pg_get_expr(p.polwithcheck, c.oid) ~ 'is_own_app')$$,
  'other apps are excluded from every table');

select results_eq(
  $$select role, has_schema_privilege(role, 'private', 'usage'), has_schema_privilege(role, 'private', 'create'),
      has_schema_privilege(role, 'public', 'create')
    from unnest(array['anon', 'authenticated']) as role$$,
  $$values ('anon', false, false, false), ('authenticated', true, false, false)$$,
  'visitors cannot use private, and no API role can create objects');

-- As the role that runs the migrations.
do $$ begin
  execute format('set local role %I', (select tableowner from pg_tables where schemaname = 'public' and tablename = 'users'));
end $$;
create table public.later (id bigint generated always as identity);
select results_eq(
  $$select has_table_privilege(role, 'public.later', 'select, insert, update, delete') from unnest(array['anon', 'authenticated']) as role$$,
  $$values (false), (false)$$,
  'a new table is not accessible without a grant');
select is(has_table_privilege('service_role', 'public.later', 'select, insert, update, delete'), true, 'a new table is accessible to service_role');
select is(has_table_privilege('service_role', 'public.users', 'select, insert, update, delete'), true, 'service_role has all privileges on existing tables');
reset role;

select * from finish();
rollback;

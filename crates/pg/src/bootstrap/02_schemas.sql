-- The schemas of a Supabase database with their owners and privileges.
-- Source: supabase/postgres, migrations/db.
--
-- A schema gets its grants and default privileges when it is created; `public` when it has none yet.
-- So a privilege that an operator revokes later stays revoked.
set local search_path = '';

do $database$
declare
  here constant name := current_database();
  embedded constant boolean := current_user = 'supabase_admin';
begin
  -- The owner of the database owns `public` and can create trusted extensions.
  if embedded and (select datdba <> 'postgres'::regrole from pg_database where datname = here) then
    execute format('alter database %I owner to postgres', here);
  end if;
  if not exists (
    select
    from pg_db_role_setting s, unnest(s.setconfig) as setting
    where s.setdatabase = (select oid from pg_database where datname = here)
      and s.setrole = 0
      and starts_with(setting, 'search_path='))
  then
    execute format('alter database %I set search_path = "$user", public, extensions', here);
  end if;
exception
  when insufficient_privilege then
    raise notice 'search_path of database % is unchanged: only its owner may set it', here;
end
$database$;

do $schemas$
declare
  -- On an external server, the role postgres has no part in this.
  administrator constant name := case when current_user = 'supabase_admin' then 'postgres' else current_user end;
  wanted record;
begin
  for wanted in
    select * from (values
      ('auth', 'supabase_auth_admin', 'anon, authenticated, service_role, postgres, dashboard_user'),
      ('extensions', administrator, 'anon, authenticated, service_role, dashboard_user'),
      ('storage', 'supabase_storage_admin', 'anon, authenticated, service_role, postgres, dashboard_user'),
      ('realtime', 'supabase_realtime_admin', 'anon, authenticated, service_role, postgres, dashboard_user'),
      ('graphql_public', administrator, 'anon, authenticated, service_role')
    ) as schemas (name, owner, guests)
  loop
    continue when exists (select from pg_namespace where nspname = wanted.name);
    execute format('create schema %I authorization %I', wanted.name, wanted.owner);
    execute format('grant usage on schema %I to %s', wanted.name, wanted.guests);
  end loop;
end
$schemas$;

-- Earlier versions created realtime's migration table as a superuser. Its owner reads and writes it now.
do $bookkeeping$
begin
  if (select rolsuper from pg_roles where rolname = current_user) and to_regclass('realtime.schema_migrations') is not null then
    alter table realtime.schema_migrations owner to supabase_realtime_admin;
  end if;
end
$bookkeeping$;

-- Row policies call auth.uid(), column defaults call uuid_generate_v4(). These grants are required, so they are
-- also made if the schemas existed before.
do $entry$
declare
  wanted record;
begin
  for wanted in
    select schema, role
    from unnest(array['auth', 'extensions']) as schema, unnest(array['anon', 'authenticated', 'service_role']) as role
    where not has_schema_privilege(role, schema, 'usage')
  loop
    execute format('grant usage on schema %I to %I', wanted.schema, wanted.role);
  end loop;
end
$entry$;

do $privileges$
declare
  wanted record;
  object_kind record;
begin
  -- Must come before the default privileges below.
  if not exists (select from pg_default_acl where defaclnamespace = 'public'::regnamespace) then
    grant usage on schema public to postgres, anon, authenticated, service_role;
    if pg_has_role('postgres', 'member') then
      grant all on schema public to postgres;
    end if;
  end if;

  for wanted in
    select *
    from (values
      ('public', 'postgres', 'postgres, anon, authenticated, service_role'),
      ('public', 'supabase_admin', 'postgres, anon, authenticated, service_role'),
      -- The role that runs migrations on an external server.
      ('public', current_user::text, 'postgres, anon, authenticated, service_role'),
      ('graphql_public', 'postgres', 'postgres, anon, authenticated, service_role'),
      ('graphql_public', 'supabase_admin', 'postgres, anon, authenticated, service_role'),
      ('storage', 'supabase_storage_admin', 'postgres, anon, authenticated, service_role'),
      ('auth', 'supabase_auth_admin', 'postgres, dashboard_user'),
      ('realtime', 'supabase_realtime_admin', 'postgres, dashboard_user'),
      ('realtime', 'supabase_admin', 'postgres, dashboard_user')
    ) as default_privileges (schema, creator, grantees)
    -- Default privileges can only be set by a member of the role that will create the objects.
    where pg_has_role(creator, 'usage')
  loop
    for object_kind in
      select * from (values ('r', 'tables'), ('S', 'sequences'), ('f', 'routines')) as kinds (code, name)
    loop
      continue when exists (
        select
        from pg_default_acl
        where defaclnamespace = wanted.schema::regnamespace
          and defaclrole = wanted.creator::regrole
          and defaclobjtype = object_kind.code::"char");
      execute format('alter default privileges for role %I in schema %I grant all on %s to %s',
        wanted.creator, wanted.schema, object_kind.name, wanted.grantees);
    end loop;
  end loop;
end
$privileges$;

-- What clients find by RPC where pg_graphql is not installed, as on Supabase: a function that says so.
do $graphql$
begin
  if pg_catalog.to_regprocedure('graphql_public.graphql(text,text,jsonb,jsonb)') is null then
    create function graphql_public.graphql(
      "operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null)
    returns jsonb
    language sql stable
    set search_path = ''
    return pg_catalog.jsonb_build_object(
      'errors', pg_catalog.jsonb_build_array(
        pg_catalog.jsonb_build_object('message', 'pg_graphql extension is not enabled.')));
    grant execute on function graphql_public.graphql(text, text, jsonb, jsonb) to anon, authenticated, service_role;
    if pg_catalog.pg_has_role('postgres', 'member') then
      grant execute on function graphql_public.graphql(text, text, jsonb, jsonb) to postgres;
    end if;
  end if;
end
$graphql$;

-- Operations that Supabase's platform allows `postgres` although PostgreSQL reserves them for superusers; SECURITY.md
-- explains each. Source: supabase/postgres, supautils.conf. Supabase uses an extension in C. Here, functions that belong
-- to the superuser perform them. Only the embedded cluster has these functions.
--
-- Each function has an empty search_path and event triggers off: otherwise the function of an event trigger would run with
-- the rights of the superuser.
set local search_path = '';

do $platform$
declare
  definer regprocedure;
begin
  if current_user <> 'supabase_admin' or not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;

  -- Dumps and seeds disable triggers and foreign keys while they load.
  grant set on parameter session_replication_role to postgres;

  create schema if not exists dugout_platform authorization supabase_admin;
  alter schema dugout_platform owner to supabase_admin;
  grant usage on schema dugout_platform to postgres;

  -- ALTER DATABASE … SET needs a grant for each setting with a name of the project's own, such as app.settings.jwt_secret.
  -- Other prefixes belong to libraries, some of whose settings run code.
  create or replace function dugout_platform.allow_setting(name text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if name !~* '^(app|pgrst|settings|supabase)(\.[a-z_][a-z0-9_$]*)+$' then
      raise exception 'permission denied to set parameter "%"', name
        using errcode = 'insufficient_privilege',
              hint = 'Names of a project''s own settings begin with app., settings., supabase. or pgrst.';
    end if;
    execute format('grant set on parameter %s to postgres', lower(name));
  end
  $$;

  -- A project creates triggers on auth's tables with the privilege TRIGGER, but only the table's owner may drop a trigger.
  create or replace function dugout_platform.drop_auth_trigger(trigger_name text, table_name text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    belongs_to name;
  begin
    select owner.rolname
    into belongs_to
    from pg_catalog.pg_trigger as trigger
    join pg_catalog.pg_class as relation on relation.oid = trigger.tgrelid
    join pg_catalog.pg_proc as function on function.oid = trigger.tgfoid
    join pg_catalog.pg_roles as owner on owner.oid = function.proowner
    where relation.relnamespace = 'auth'::regnamespace
      and relation.relname = table_name
      and trigger.tgname = trigger_name
      and not trigger.tgisinternal;
    -- The auth service's own triggers, which end sessions, call functions of its role. They must stay.
    if belongs_to is null or belongs_to <> all ('{postgres,anon,authenticated,service_role}') then
      raise exception 'must be owner of relation %', table_name using errcode = 'insufficient_privilege';
    end if;
    execute format('drop trigger %I on auth.%I', trigger_name, table_name);
  end
  $$;

  -- Vector buckets keep their vectors in tables of their own. The storage service creates these as service_role, but only the
  -- owner of the database may create the extension and the schema.
  create or replace function dugout_platform.prepare_vectors()
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    create extension if not exists vector with schema extensions;
    create schema if not exists storage_vectors authorization supabase_storage_admin;
    grant usage, create on schema storage_vectors to service_role;
  end
  $$;

  -- The functions of an extension that `postgres` has created belong to the superuser, so that PostgreSQL refuses to move them.
  create or replace function dugout_platform.move_extension(name text, schema text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select
      from pg_catalog.pg_extension as extension
      join pg_catalog.pg_roles as owner on owner.oid = extension.extowner
      where extension.extname = name and owner.rolname = 'postgres')
    then
      raise exception 'must be owner of extension %', name using errcode = 'insufficient_privilege';
    end if;
    if not pg_catalog.has_schema_privilege('postgres', schema, 'create') then
      raise exception 'permission denied for schema %', schema using errcode = 'insufficient_privilege';
    end if;
    execute format('alter extension %I set schema %I', name, schema);
  end
  $$;

  create or replace function dugout_platform.create_publication_for_all_tables(name text, options text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    -- Allows names and values only, nothing that could end the statement.
    if options !~ '^(\s*[a-z_]+\s*=\s*(''[a-z, ]*''|[a-z]+)\s*(,\s*|$))*$' then
      raise exception 'invalid options of publication "%"', name using errcode = 'syntax_error';
    end if;
    execute format('create publication %I for all tables', name)
      || case when options = '' then '' else format(' with (%s)', options) end;
  end
  $$;
  -- Only superusers may own such a publication, so `postgres` needs this function to drop it.
  create or replace function dugout_platform.drop_publication(name text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (select from pg_catalog.pg_publication where pubname = name and puballtables) then
      raise exception 'publication "%" does not exist', name using errcode = 'undefined_object';
    end if;
    execute format('drop publication %I', name);
  end
  $$;

  create or replace function dugout_platform.create_event_trigger(
    name text, event text, tags text[], function_name text
  )
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    called constant regprocedure := to_regprocedure(function_name);
    service name;
  begin
    if event not in ('ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite') then
      raise exception 'permission denied to create event trigger "%"', name
        using errcode = 'insufficient_privilege',
              hint = 'Events are ddl_command_start, ddl_command_end, sql_drop and table_rewrite: a trigger on login would run '
                'for every service.';
    end if;
    if called is null then
      raise exception 'function % does not exist', function_name using errcode = 'undefined_function';
    end if;
    if exists (
      select
      from pg_catalog.pg_proc as function
      join pg_catalog.pg_roles as owner on owner.oid = function.proowner
      where function.oid = called and owner.rolname <> 'postgres')
    then
      raise exception 'must be owner of function %', function_name using errcode = 'insufficient_privilege';
    end if;
    execute format('create event trigger %I on %s', name, event)
      || case
        when tags = '{}' then ''
        else ' when tag in (' || (select string_agg(quote_literal(tag), ', ') from unnest(tags) as tag) || ')'
      end
      || format(' execute function %s()', called::oid::regproc);
    -- Event triggers must not run in sessions of the services, nor in those of the superuser. As a consequence, schema
    -- changes of these sessions have to be announced by hand: notify pgrst, 'reload schema'.
    foreach service in array array['supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin',
      'supabase_realtime_admin', 'authenticator', 'dugout_worker'] loop
      execute format('alter role %I set event_triggers = off', service);
    end loop;
  end
  $$;

  create or replace function dugout_platform.comment_event_trigger(name text, comment text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select
      from pg_catalog.pg_event_trigger as trigger
      join pg_catalog.pg_proc as function on function.oid = trigger.evtfoid
      join pg_catalog.pg_roles as owner on owner.oid = function.proowner
      where trigger.evtname = name and owner.rolname = 'postgres')
    then
      raise exception 'must be owner of event trigger %', name using errcode = 'insufficient_privilege';
    end if;
    execute format('comment on event trigger %I is %L', name, comment);
  end
  $$;

  -- `action` is drop, enable, disable, enable always, enable replica or owner to postgres. Only a superuser may own an event
  -- trigger, so the last one changes nothing: `postgres` has the rights of an owner by these functions.
  create or replace function dugout_platform.change_event_trigger(name text, action text)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select
      from pg_catalog.pg_event_trigger as trigger
      join pg_catalog.pg_proc as function on function.oid = trigger.evtfoid
      join pg_catalog.pg_roles as owner on owner.oid = function.proowner
      where trigger.evtname = name and owner.rolname = 'postgres')
    then
      raise exception 'must be owner of event trigger %', name using errcode = 'insufficient_privilege';
    end if;
    if action = 'drop' then
      execute format('drop event trigger %I', name);
    elsif action in ('enable', 'disable', 'enable always', 'enable replica') then
      execute format('alter event trigger %I %s', name, action);
    elsif action = 'owner to postgres' then
      null;
    else
      raise exception 'unknown action "%"', action using errcode = 'syntax_error';
    end if;
  end
  $$;

  -- The script of a trusted extension runs as the superuser, and event triggers would run with the same rights. This trigger
  -- turns them off for the rest of the transaction. It fires before CREATE EXTENSION switches to the superuser. ENABLE
  -- ALWAYS makes it independent of session_replication_role.
  if current_setting('server_version_num')::integer >= 170000 then
    create or replace function dugout_platform.extension_scripts_run_alone()
    returns event_trigger
    language plpgsql security definer
    as $$
    begin
      perform pg_catalog.set_config('event_triggers', 'off', true);
      -- Replaces the DDL watch, which does not run now.
      perform pg_catalog.pg_notify('pgrst', 'reload schema');
    end
    $$;
    if not exists (select from pg_event_trigger where evtname = 'dugout_extension_scripts_run_alone') then
      create event trigger dugout_extension_scripts_run_alone on ddl_command_start
        when tag in ('CREATE EXTENSION', 'ALTER EXTENSION')
        execute function dugout_platform.extension_scripts_run_alone();
      alter event trigger dugout_extension_scripts_run_alone enable always;
    end if;
  end if;

  -- The schema may have belonged to another role, and replacing a function keeps its owner.
  for definer in select oid::regprocedure from pg_proc where pronamespace = 'dugout_platform'::regnamespace loop
    execute format('alter function %s owner to supabase_admin', definer);
  end loop;
  revoke execute on all functions in schema dugout_platform from public;
  grant execute on all functions in schema dugout_platform to postgres;
  grant usage on schema dugout_platform to service_role;
  grant execute on function dugout_platform.prepare_vectors() to service_role;

  if current_setting('server_version_num')::integer >= 170000 then
    for definer in
      select oid::regprocedure from pg_proc
      where pronamespace = 'dugout_platform'::regnamespace and prorettype <> 'event_trigger'::regtype
    loop
      execute format('alter function %s set event_triggers = off', definer);
    end loop;
  end if;
end
$platform$;

-- Event triggers that make the data API reload its schema cache after each change of the schema: NOTIFY pgrst.
-- Source: supabase/postgres, migrations/db (pgrst_ddl_watch, pgrst_drop_watch); PostgREST, "Schema
-- Cache Reloading". PostgreSQL folds equal notifications of one transaction into one.
--
-- Event triggers need a superuser. Without one the API reloads only on a manual NOTIFY and at the start. Their
-- functions run with the rights of the session that changes the schema. So the functions must belong to a superuser:
-- any other owner could replace them and wait until a superuser changes a schema.
set local search_path = '';

do $watch$
declare
  unsafe name;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    if (select count(*) from pg_event_trigger where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch')) < 2 then
      raise notice 'no event triggers: they need a superuser. After a change of the schema run: notify pgrst, ''reload schema''';
    end if;
    return;
  end if;

  -- Such triggers come from a dump or were created by hand.
  for unsafe in
    select trigger.evtname
    from pg_event_trigger as trigger
    join pg_proc as function on function.oid = trigger.evtfoid
    join pg_roles as owner on owner.oid = function.proowner
    where trigger.evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch') and not owner.rolsuper
  loop
    execute format('drop event trigger %I', unsafe);
  end loop;
  if (select count(*) from pg_event_trigger where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch')) = 2 then
    return;
  end if;

  create or replace function extensions.pgrst_ddl_watch() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if exists (
      select
      from pg_event_trigger_ddl_commands() as command
      where command.schema_name is distinct from 'pg_temp'
        and command.command_tag in (
          'CREATE SCHEMA', 'ALTER SCHEMA',
          'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
          'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE',
          'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW',
          'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE PROCEDURE', 'ALTER PROCEDURE',
          'CREATE AGGREGATE', 'ALTER AGGREGATE',
          'CREATE TYPE', 'ALTER TYPE', 'CREATE DOMAIN', 'ALTER DOMAIN', 'CREATE CAST',
          'CREATE TRIGGER', 'CREATE RULE', 'COMMENT'))
    then
      notify pgrst, 'reload schema';
    end if;
  end
  $$;

  create or replace function extensions.pgrst_drop_watch() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if exists (
      select
      from pg_event_trigger_dropped_objects() as object
      where not object.is_temporary
        and object.object_type in (
          'schema', 'table', 'foreign table', 'view', 'materialized view',
          'function', 'procedure', 'aggregate', 'type', 'domain', 'cast', 'trigger', 'rule'))
    then
      notify pgrst, 'reload schema';
    end if;
  end
  $$;

  -- The schema's owner may have created functions of these names, and replacing a function keeps its owner.
  alter function extensions.pgrst_ddl_watch() owner to current_user;
  alter function extensions.pgrst_drop_watch() owner to current_user;

  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
end
$watch$;

-- Event triggers are off in this session, so a running API is notified explicitly.
notify pgrst, 'reload schema';

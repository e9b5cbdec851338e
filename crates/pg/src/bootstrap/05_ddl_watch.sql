-- After any change of the schema the data API is told to read the catalog anew: NOTIFY pgrst.
-- Source: supabase/postgres, migrations/db (pgrst_ddl_watch, pgrst_drop_watch); PostgREST, "Schema
-- Cache Reloading". PostgreSQL folds equal notifications of one transaction into one.
--
-- Event triggers need a superuser: without one the API reloads on NOTIFY and at start only.
set local search_path = '';

do $watch$
begin
  if (select count(*) from pg_event_trigger where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch')) = 2 then
    return;
  end if;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    raise notice 'no event triggers: they need a superuser. After a change of the schema run: notify pgrst, ''reload schema''';
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

  -- Whoever owns the schema could have put a function of his there under the same name: replacing one
  -- leaves its owner, who could then run whatever he likes as the superuser.
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

-- The roles of a Supabase cluster, their memberships and their settings.
-- Source: supabase/postgres, migrations/db (roles and attributes).
--
-- All files of this folder run in order, in one transaction, at the start of the server (see
-- bootstrap.rs for when they are skipped). Existing objects are not changed: if an operator changes an
-- attribute, a time-out or a grant, the change is kept. No passwords are set here.
--
-- Requires a superuser, or a role with CREATEROLE that owns the database. A role without superuser
-- rights may not be allowed to give REPLICATION and BYPASSRLS. Roles are then created without them,
-- except for service_role: it is useless without BYPASSRLS, so the start fails with a hint.
set local search_path = '';

do $roles$
declare
  embedded constant boolean := current_user = 'supabase_admin';
  superuser constant boolean := (select rolsuper from pg_roles where rolname = current_user);
  wanted record;
begin
  -- Serialises instances that start at once on one database. The number is arbitrary.
  perform pg_advisory_xact_lock(7235417230);

  for wanted in
    select * from (values
      -- name, attributes, attributes if the first are refused
      ('anon', 'nologin', null),
      ('authenticated', 'nologin', null),
      ('service_role', 'nologin bypassrls', null),
      ('authenticator', 'login noinherit', null),
      -- DEVIATION (safer): the service owners have no CREATEROLE, because nothing they run needs it; upstream gives it
      -- to them.
      ('supabase_auth_admin', 'login noinherit', null),
      ('supabase_storage_admin', 'login noinherit', null),
      ('supabase_realtime_admin', 'login noinherit replication', 'login noinherit'),
      ('supabase_functions_admin', 'nologin noinherit', null),
      -- Not upstream's: login of the workers for pg_cron and pg_net, with rights on their tables only.
      ('dugout_worker', 'login noinherit bypassrls', 'login noinherit'),
      ('supabase_replication_admin', 'login replication', 'login'),
      ('supabase_read_only_user', 'login bypassrls', 'login'),
      ('dashboard_user', 'nologin createdb createrole replication', 'nologin'),
      -- Dumps name these. They own nothing here.
      ('pgbouncer', 'nologin', null),
      ('supabase_etl_admin', 'nologin', null),
      ('supabase_privileged_role', 'nologin', null),
      -- On an external server these two only have to exist, so that dumps and migrations that
      -- mention them apply. In the embedded cluster supabase_admin exists: it runs this script.
      ('supabase_admin', 'nologin', null),
      ('postgres', case when embedded then 'login createdb createrole replication bypassrls' else 'nologin' end, null)
    ) as roles (name, attributes, fallback)
  loop
    continue when exists (select from pg_roles where rolname = wanted.name);
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
    exception
      when insufficient_privilege then
        if wanted.name = 'service_role' then
          raise exception 'role "%" may not create a role with BYPASSRLS', current_user
            using errcode = 'insufficient_privilege',
                  hint = format('Run once as a superuser: create role service_role nologin bypassrls; '
                    'grant service_role to %I with admin option;', current_user);
        elsif wanted.fallback is null then
          raise;
        end if;
        raise notice 'role % is created with "%" instead of "%", which needs a superuser',
          wanted.name, wanted.fallback, wanted.attributes;
        execute format('create role %I %s', wanted.name, wanted.fallback);
      when duplicate_object or unique_violation then
        null; -- Created concurrently, from another database of this cluster.
    end;
    -- Without superuser rights one must be a member of a role to give objects to it and to act as it.
    if not superuser then
      execute format('grant %I to current_user', wanted.name);
    end if;
  end loop;
  -- DEVIATION: `supabase_realtime_admin` can log in and read the log of changes, so that realtime runs as the owner of its
  -- schema; upstream's cannot, and realtime runs as a superuser.
  -- Only if it has to change: two databases of a cluster that are bootstrapped at once cannot both change a role.
  if (embedded or superuser)
    and exists (select from pg_roles where rolname = 'supabase_realtime_admin' and not (rolcanlogin and rolreplication))
  then
    alter role supabase_realtime_admin login replication;
  end if;
end
$roles$;

do $memberships$
declare
  embedded constant boolean := current_user = 'supabase_admin';
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'authenticator', false),
      ('authenticated', 'authenticator', false),
      ('service_role', 'authenticator', false),
      ('authenticator', 'supabase_storage_admin', false),
      ('authenticator', 'supabase_realtime_admin', false),
      ('pg_read_all_data', 'supabase_read_only_user', false),
      ('anon', 'postgres', true),
      ('authenticated', 'postgres', true),
      ('service_role', 'postgres', true),
      ('authenticator', 'postgres', true),
      -- Migrations create policies on storage.objects and realtime.messages; only the owner of a table may.
      -- DEVIATION: `postgres` is a member of the owners of the schemas storage and realtime, so that it can create
      -- policies there; upstream allows just that through the extension supautils.
      ('supabase_storage_admin', 'postgres', false),
      ('supabase_realtime_admin', 'postgres', false),
      ('pg_monitor', 'postgres', true),
      ('pg_read_all_data', 'postgres', true),
      ('pg_signal_backend', 'postgres', true),
      ('pg_create_subscription', 'postgres', true) -- since PostgreSQL 16
    ) as memberships (role, member, with_admin)
  loop
    -- On an external server, the role postgres is not ours and gets no rights.
    continue when wanted.member = 'postgres' and not embedded;
    continue when not exists (select from pg_roles where rolname = wanted.role);
    continue when exists (
      select
      from pg_auth_members m
      where m.roleid = (select oid from pg_roles where rolname = wanted.role)
        and m.member = (select oid from pg_roles where rolname = wanted.member)
        and (m.admin_option or not wanted.with_admin));
    begin
      execute format('grant %I to %I %s', wanted.role, wanted.member,
        case when wanted.with_admin then 'with admin option' end);
    exception
      when insufficient_privilege then
        -- Only a predefined role may be missing: none of our code depends on it.
        if wanted.role not like 'pg\_%' then
          raise;
        end if;
        raise notice 'role % is not granted to %: that needs a superuser', wanted.role, wanted.member;
    end;
  end loop;
end
$memberships$;

do $settings$
declare
  embedded constant boolean := current_user = 'supabase_admin';
  wanted record;
begin
  for wanted in
    select * from (values
      -- A role's settings apply at login only. The data API applies those of the role that it switches
      -- to itself.
      ('anon', 'statement_timeout', '''3s'''),
      ('authenticated', 'statement_timeout', '''8s'''),
      ('authenticator', 'statement_timeout', '''8s'''),
      ('authenticator', 'lock_timeout', '''8s'''),
      ('supabase_auth_admin', 'search_path', 'auth'),
      ('supabase_auth_admin', 'idle_in_transaction_session_timeout', '''60s'''),
      ('supabase_storage_admin', 'search_path', 'storage'),
      ('postgres', 'search_path', '"$user", public, extensions'),
      ('supabase_admin', 'search_path', '"$user", public, auth, extensions')
    ) as settings (role, name, value)
  loop
    continue when wanted.role in ('postgres', 'supabase_admin') and not embedded;
    continue when exists (
      select
      from pg_db_role_setting s, unnest(s.setconfig) as setting
      where s.setrole = (select oid from pg_roles where rolname = wanted.role)
        and s.setdatabase = 0
        and starts_with(setting, wanted.name || '='));
    begin
      execute format('alter role %I set %I = %s', wanted.role, wanted.name, wanted.value);
    exception
      when insufficient_privilege then
        -- The role belongs to another role. Every service also sets what it needs itself.
        raise notice 'setting % of role % is unchanged: this role may not change it', wanted.name, wanted.role;
    end;
  end loop;
end
$settings$;

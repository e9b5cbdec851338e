-- Database webhooks: the trigger function supabase_functions.http_request(), and pg_net, which sends its requests. `supabase
-- start` also installs both in a new database. Source: supabase/cli, internal/db/start/templates/webhook.sql.
--
-- Does nothing if the schema exists: the project may have created its own, or may have dropped pg_net since.
set local search_path = '';

do $webhooks$
begin
  if current_user <> 'supabase_admin'
    or to_regnamespace('supabase_functions') is not null
    or not exists (select from pg_available_extensions where name = 'pg_net')
  then
    return;
  end if;
  -- The role that creates an extension owns it. Migrations of `postgres` may drop it, as on the platform.
  perform set_config('role', 'postgres', true);
  create extension if not exists pg_net with schema extensions;
  perform set_config('role', 'none', true);

  create schema supabase_functions authorization supabase_admin;
  grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
  grant all on schema supabase_functions to supabase_functions_admin;
  alter default privileges in schema supabase_functions
    grant all on tables to postgres, anon, authenticated, service_role;
  alter default privileges in schema supabase_functions
    grant all on sequences to postgres, anon, authenticated, service_role;

  create table supabase_functions.migrations (
    version text primary key,
    inserted_at timestamptz not null default now()
  );
  insert into supabase_functions.migrations (version) values ('initial'), ('20210809183423_update_grants');

  -- A log of requests with the triggers that made them.
  create table supabase_functions.hooks (
    id bigserial primary key,
    hook_table_id integer not null,
    hook_name text not null,
    created_at timestamptz not null default now(),
    request_id bigint
  );
  create index supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
  create index supabase_functions_hooks_h_table_id_h_name_idx on supabase_functions.hooks (hook_table_id, hook_name);

  -- The trigger's arguments are url, method, headers, params and the timeout in milliseconds. The Dashboard writes 'null' for a
  -- missing argument.
  create function supabase_functions.http_request()
  returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    url constant text := nullif(tg_argv[0], 'null');
    method constant text := nullif(tg_argv[1], 'null');
    headers constant jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
    params constant jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
    patience constant integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
    request bigint;
  begin
    if url is null then
      raise exception 'url argument is missing';
    elsif method is null then
      raise exception 'method argument is missing';
    elsif method = 'GET' then
      request := net.http_get(url, params, headers, patience);
    elsif method = 'POST' then
      request := net.http_post(
        url,
        jsonb_build_object(
          'type', tg_op, 'schema', tg_table_schema, 'table', tg_table_name, 'record', new, 'old_record', old),
        params, headers, patience);
    else
      raise exception 'method argument % is invalid', method;
    end if;
    insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request);
    return new;
  end
  $$;

  alter table supabase_functions.migrations owner to supabase_functions_admin;
  alter table supabase_functions.hooks owner to supabase_functions_admin;
  alter function supabase_functions.http_request() owner to supabase_functions_admin;
  revoke execute on function supabase_functions.http_request() from public;
  grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;
  grant supabase_functions_admin to postgres;
end
$webhooks$;

-- The extensions that Supabase projects expect, in the schema `extensions`; supabase_vault has its own.
-- All are trusted, so the database's owner may create them. Many projects work without them, hence a notice instead of
-- an error if one is not available.
set local search_path = '';

do $extensions$
declare
  wanted text;
begin
  foreach wanted in array array['pgcrypto', 'uuid-ossp', 'pg_stat_statements', 'supabase_vault'] loop
    continue when exists (select from pg_extension where extname = wanted);
    -- An external server gets only those that every project needs.
    continue when wanted not in ('pgcrypto', 'uuid-ossp') and current_user <> 'supabase_admin';
    if not exists (select from pg_available_extensions where name = wanted) then
      -- The others are available in the embedded PostgreSQL 18 only.
      if wanted in ('pgcrypto', 'uuid-ossp') then
        raise notice 'extension % is not available on this server', wanted;
      end if;
      continue;
    end if;
    begin
      -- The role that creates an extension owns it. Migrations of `postgres` may drop it, as on the platform.
      if current_user = 'supabase_admin'
        and exists (select from pg_available_extension_versions where name = wanted and trusted)
      then
        perform set_config('role', 'postgres', true);
      end if;
      execute format('create extension %I with schema extensions', wanted);
      perform set_config('role', 'none', true);
    exception
      when insufficient_privilege then
        raise notice 'extension % is not created: that needs the owner of the database', wanted;
    end;
  end loop;
end
$extensions$;

-- The extensions every Supabase project may take for granted, in the schema `extensions`; the vault is in its own.
-- All are trusted: the database's owner may create them. A server without them still works for a
-- project that calls neither, hence a notice and no error.
set local search_path = '';

do $extensions$
declare
  wanted text;
begin
  foreach wanted in array array['pgcrypto', 'uuid-ossp', 'pg_stat_statements', 'supabase_vault'] loop
    continue when exists (select from pg_extension where extname = wanted);
    -- An external server gets only what every project needs.
    continue when wanted not in ('pgcrypto', 'uuid-ossp') and current_user <> 'supabase_admin';
    if not exists (select from pg_available_extensions where name = wanted) then
      -- The others are part of the embedded PostgreSQL 18.
      if wanted in ('pgcrypto', 'uuid-ossp') then
        raise notice 'extension % is not available on this server', wanted;
      end if;
      continue;
    end if;
    begin
      execute format('create extension %I with schema extensions', wanted);
    exception
      when insufficient_privilege then
        raise notice 'extension % is not created: that needs the owner of the database', wanted;
    end;
  end loop;
end
$extensions$;

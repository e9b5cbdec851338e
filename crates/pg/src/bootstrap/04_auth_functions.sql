-- What row policies ask about the caller: auth.uid(), auth.role(), auth.email(), auth.jwt().
-- Source: supabase/auth, migrations (20220224000811, 20220531120530).
--
-- The claims of the request's token are in the setting request.jwt.claims, as JSON. PostgREST up to
-- version 8 wrote one setting for each claim; projects that still set those by hand go first. An
-- unset setting reads as null the first time and as the empty string ever after.
set local search_path = '';

do $functions$
begin
  create or replace function auth.uid() returns uuid
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
    )::uuid
  $$;

  create or replace function auth.role() returns text
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.role', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
    )
  $$;

  create or replace function auth.email() returns text
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.email', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    )
  $$;

  create or replace function auth.jwt() returns jsonb
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
  $$;

  -- An auth service of upstream's on the same database replaces these functions in its migrations:
  -- for that they must be its own.
  alter function auth.uid() owner to supabase_auth_admin;
  alter function auth.role() owner to supabase_auth_admin;
  alter function auth.email() owner to supabase_auth_admin;
  alter function auth.jwt() owner to supabase_auth_admin;
  grant execute on function auth.uid(), auth.role(), auth.email(), auth.jwt() to public, postgres, dashboard_user;
exception
  when insufficient_privilege then
    -- A database that came from Supabase has them, out of our reach but equal.
    if to_regprocedure('auth.jwt()') is null then
      raise;
    end if;
    raise notice 'functions auth.uid() and so on are left alone: not ours to replace';
end
$functions$;

-- Functions with which row policies identify the caller: auth.uid(), auth.role(), auth.email(), auth.jwt().
-- Source: supabase/auth, migrations (20220224000811, 20220531120530).
--
-- The claims of the request's token are in the setting request.jwt.claims, as JSON. PostgREST up to
-- version 8 used one setting per claim; these take precedence for projects that still set them. A setting
-- that was never set reads as null; after a transaction that set it, it reads as the empty string.
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

  -- Upstream's auth service on the same database replaces these functions in its migrations, so it must own
  -- them.
  alter function auth.uid() owner to supabase_auth_admin;
  alter function auth.role() owner to supabase_auth_admin;
  alter function auth.email() owner to supabase_auth_admin;
  alter function auth.jwt() owner to supabase_auth_admin;
  grant execute on function auth.uid(), auth.role(), auth.email(), auth.jwt() to public, postgres, dashboard_user;
exception
  when insufficient_privilege then
    -- A database that came from Supabase has equal functions, which we may not replace.
    if to_regprocedure('auth.jwt()') is null then
      raise;
    end if;
    raise notice 'functions auth.uid() and so on are unchanged: this role may not replace them';
end
$functions$;

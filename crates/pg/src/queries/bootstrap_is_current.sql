-- Whether the bootstrap with this digest ran here, and what the services need most exists. Roles belong to the whole server, so
-- a database that was restored elsewhere has the digest without them.
select coalesce(
  obj_description(to_regprocedure('auth.jwt()'), 'pg_proc') = $1::text
  and to_regprocedure('auth.uid()') is not null
  and (
    select count(*) = 6
    from pg_roles
    where rolname in (
      'anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin', 'supabase_storage_admin'))
  and exists (
    -- Resets run `drop schema public cascade; create schema public`, which removes the privileges.
    select
    from pg_roles, to_regnamespace('public') as public
    where rolname = 'anon' and has_schema_privilege(pg_roles.oid, public, 'usage')),
  false) as is_current

-- Whether the bootstrap with this mark ran here, and what the services cannot do without is there. Roles belong to the whole
-- server, so a database restored elsewhere has the mark without them.
select coalesce(
  obj_description(to_regprocedure('auth.jwt()'), 'pg_proc') = $1::text
  and to_regprocedure('auth.uid()') is not null
  and (
    select count(*) = 6
    from pg_roles
    where rolname in (
      'anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin', 'supabase_storage_admin'))
  and exists (
    -- `drop schema public cascade; create schema public`, as resets do, loses the privileges.
    select
    from pg_roles, to_regnamespace('public') as public
    where rolname = 'anon' and has_schema_privilege(pg_roles.oid, public, 'usage')),
  false) as is_current

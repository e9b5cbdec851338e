-- Roles of the project. A role counts as used if it owns something in this database, has a privilege in it or is named in a
-- policy, or if a membership connects it to a used role. Unused roles may belong to another database of the cluster. Passwords
-- cannot be read. Memberships are objects of their own, without the one that PostgreSQL gives to the creator of a role.
with recursive reserved (pattern) as (
    values ('^(anon|authenticated|authenticator|cli_login_.*|dashboard_user|pgbouncer|postgres|service_role|supabase_.*|'
        || 'pgsodium_.*|pgtle_admin|dugout_.*|pg_.*)$')
), custom (id, name) as (
    select r.oid, r.rolname
    from pg_catalog.pg_roles r, reserved
    where r.oid <> 10 and r.rolname <> current_user and r.rolname !~ reserved.pattern
), member (role, member, admin) as (
    select m.roleid, m.member, bool_or(m.admin_option)
    from pg_catalog.pg_auth_members m
    where coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
    group by m.roleid, m.member
), used (id) as (
    select custom.id
    from custom
    where exists (
        select
        from pg_catalog.pg_shdepend d
        where d.refclassid = 'pg_authid'::regclass
            and d.refobjid = custom.id
            and d.dbid = (select b.oid from pg_catalog.pg_database b where b.datname = current_database())
    )
    union
    select custom.id
    from used
    join member on used.id in (member.role, member.member)
    join custom on custom.id in (member.role, member.member)
)
select coalesce(json_agg(found), '[]')::text
from (
    select
        'role ' || quote_ident(r.rolname) as key,
        'role' as kind,
        '' as schema,
        format('role %I', r.rolname) as phrase,
        quote_ident(r.rolname) as name,
        format('role %I with %s', r.rolname, concat_ws(
            ' ',
            case when r.rolcanlogin then 'login' else 'nologin' end,
            case when r.rolinherit then 'inherit' else 'noinherit' end,
            case when r.rolcreatedb then 'createdb' else 'nocreatedb' end,
            case when r.rolcreaterole then 'createrole' else 'nocreaterole' end,
            case when r.rolreplication then 'replication' else 'noreplication' end,
            case when r.rolbypassrls then 'bypassrls' else 'nobypassrls' end,
            'connection limit ' || r.rolconnlimit
        )) as create,
        format('drop role %I', r.rolname) as drop,
        pg_catalog.shobj_description(r.oid, 'pg_authid') as comment,
        json_build_object('base', case when r.oid in (select used.id from used) then 'used' else '' end) as detail
    from pg_catalog.pg_roles r
    join custom on custom.id = r.oid
    union all
    select
        format('membership of %I in %I', m.rolname, r.rolname),
        'membership',
        '',
        '',
        '',
        format('grant %I to %I%s', r.rolname, m.rolname, case when member.admin then ' with admin option' else '' end),
        format('revoke %I from %I', r.rolname, m.rolname),
        null,
        json_build_object('base', case when member.role in (select used.id from used) or member.member in (select used.id from used) then 'used' else '' end)
    from member
    join pg_catalog.pg_roles r on r.oid = member.role
    join pg_catalog.pg_roles m on m.oid = member.member
    where member.role in (select custom.id from custom) or member.member in (select custom.id from custom)
) as found

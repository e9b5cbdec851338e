-- Functions and procedures of the schemas $1, without those of extensions and of ranges. Aggregates cannot be printed by PostgreSQL.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'function ' || p.oid::regprocedure::text as key,
        'function' as kind,
        n.nspname as schema,
        case p.prokind when 'p' then 'procedure ' else 'function ' end || p.oid::regprocedure::text as phrase,
        rtrim(pg_catalog.pg_get_functiondef(p.oid), E'\n') as create,
        case p.prokind when 'p' then 'drop procedure ' else 'drop function ' end || p.oid::regprocedure::text as drop,
        pg_catalog.obj_description(p.oid, 'pg_proc') as comment,
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
            where x.grantee <> p.proowner
        ) as grants,
        pg_catalog.pg_get_userbyid(p.proowner) as owner,
        -- What CREATE OR REPLACE cannot change.
        json_build_object(
            'signature', coalesce(pg_catalog.pg_get_function_result(p.oid), '') || ' '
                || pg_catalog.pg_get_function_arguments(p.oid) || ' ' || p.prokind::text
        ) as detail
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1::text[])
        and p.prokind in ('f', 'p', 'w')
        and not exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype in ('e', 'i')
        )
) as found

-- Every schema that is not PostgreSQL's own and no part of an extension. All queries here run with an empty search_path, so
-- that every name has its schema.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'schema ' || quote_ident(n.nspname) as key,
        'schema' as kind,
        n.nspname as schema,
        format('schema %I', n.nspname) as phrase,
        format('create schema %I', n.nspname) as create,
        format('drop schema %I', n.nspname) as drop,
        pg_catalog.obj_description(n.oid, 'pg_namespace') as comment,
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) x
            where x.grantee <> n.nspowner
        ) as grants,
        pg_catalog.pg_get_userbyid(n.nspowner) as owner
    from pg_catalog.pg_namespace n
    where n.nspname !~ '^pg_'
        and n.nspname <> 'information_schema'
        and not exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e'
        )
) as found

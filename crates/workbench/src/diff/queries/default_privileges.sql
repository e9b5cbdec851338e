-- What the role's new objects are granted: everywhere (no schema) and by schema. Kinds as in aclexplode: r, S, f, T, n.
select coalesce(json_agg(found), '[]')::text
from (
    select
        coalesce(quote_ident(n.nspname), '') as schema,
        d.defaclobjtype as kind,
        quote_ident(pg_catalog.pg_get_userbyid(d.defaclrole)) as role,
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(d.defaclacl) x
            where x.grantee <> d.defaclrole
        ) as grants
    from pg_catalog.pg_default_acl d
    left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
    where pg_catalog.pg_get_userbyid(d.defaclrole) = current_user
) as found

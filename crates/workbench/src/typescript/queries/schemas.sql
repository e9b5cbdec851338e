-- Those of the schemas $1 that exist and that the role may see.
select coalesce(json_agg(n.nspname), '[]')::text
from pg_catalog.pg_namespace n
where n.nspname = any ($1::text[])
    and not starts_with(n.nspname, 'pg_')
    and (
        pg_catalog.pg_has_role(n.nspowner, 'usage')
        or pg_catalog.has_schema_privilege(n.oid, 'create, usage')
    )

-- The views and materialized views of the schemas $1 and those that they read, with their queries as PostgreSQL keeps them, and
-- which columns that they read are never null.
with recursive reached (id) as (
    select c.oid
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and c.relkind in ('v', 'm')
    union
    select d.refobjid
    from reached
    join pg_catalog.pg_rewrite r on r.ev_class = reached.id and r.rulename = '_RETURN'
    join pg_catalog.pg_depend d
        on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
    join pg_catalog.pg_class c on c.oid = d.refobjid and c.relkind in ('v', 'm')
)
select coalesce(json_agg(found), '[]')::text
from (
    select
        c.oid::int8 as id,
        n.nspname as schema,
        c.relname as name,
        r.ev_action::text as query,
        (
            select json_object_agg(a.attnum, a.attname)
            from pg_catalog.pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0
        ) as columns,
        coalesce(
            (
                select json_agg(json_build_array(d.refobjid::int8, d.refobjsubid))
                from pg_catalog.pg_depend d
                join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                join pg_catalog.pg_type t on t.oid = a.atttypid
                where d.classid = 'pg_rewrite'::regclass
                    and d.objid = r.oid
                    and d.refclassid = 'pg_class'::regclass
                    and d.refobjsubid > 0
                    and (a.attnotnull or t.typtype = 'd' and t.typnotnull)
            ),
            '[]'
        ) as not_null
    from reached
    join pg_catalog.pg_class c on c.oid = reached.id
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
) as found

-- Every type that a column, an argument or an attribute may have, row types of relations included.
select coalesce(json_agg(found), '[]')::text
from (
    select
        t.oid::int8 as id,
        n.nspname as schema,
        t.typname as name,
        pg_catalog.format_type(t.oid, null) as format,
        nullif(t.typrelid::int8, 0) as relation_id,
        coalesce(
            (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid),
            '[]'
        ) as labels,
        coalesce(
            (
                select json_agg(json_build_object('name', a.attname, 'type_id', a.atttypid::int8) order by a.attnum)
                from pg_catalog.pg_attribute a
                where a.attrelid = c.oid and c.relkind = 'c' and not a.attisdropped
            ),
            '[]'
        ) as attributes
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_class c on c.oid = t.typrelid
    where t.typrelid = 0 or c.relkind in ('c', 'r', 'v', 'm', 'p', 'f')
) as found

-- Tables, foreign tables, views and materialized views of the schemas $1. Of tables those that the role has a right on.
select coalesce(json_agg(found), '[]')::text
from (
    select
        c.oid::int8 as id,
        n.nspname as schema,
        c.relname as name,
        c.relkind as kind,
        -- Views with INSTEAD OF triggers or rules count: PostgREST writes through them. 8 is INSERT, 4 is UPDATE.
        (pg_catalog.pg_relation_is_updatable(c.oid, true) & 8) = 8 as takes_inserts,
        (pg_catalog.pg_relation_is_updatable(c.oid, true) & 4) = 4 as takes_updates
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
        and (
            c.relkind in ('f', 'v', 'm')
            or c.relkind in ('r', 'p')
            and not pg_catalog.pg_is_other_temp_schema(n.oid)
            and (
                pg_catalog.pg_has_role(c.relowner, 'usage')
                or pg_catalog.has_table_privilege(
                    c.oid, 'select, insert, update, delete, truncate, references, trigger'
                )
                or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references')
            )
        )
) as found

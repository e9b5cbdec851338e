-- The columns of the relations of the schemas $1 that the role has a right on.
select coalesce(json_agg(found), '[]')::text
from (
    select
        c.oid::int8 as table_id,
        a.attnum as number,
        n.nspname as schema,
        c.relname as table,
        a.attname as name,
        a.atthasdef and pg_catalog.pg_get_expr(d.adbin, d.adrelid) is not null as has_default,
        -- A domain counts as its base type.
        coalesce(base.typname, t.typname) as format,
        coalesce(base_namespace.nspname, type_namespace.nspname) as type_schema,
        a.attidentity in ('a', 'd') as is_identity,
        a.attidentity = 'a' or a.attgenerated in ('s', 'v') as is_computed,
        not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as is_nullable,
        c.relkind in ('r', 'p')
        or c.relkind in ('v', 'f')
        and (
            pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false)
            -- Triggers and unconditional rules take whole rows. Bits: 64 is INSTEAD OF, 4 INSERT, 16 UPDATE.
            or exists (
                select from pg_catalog.pg_trigger g
                where g.tgrelid = c.oid and g.tgtype & 64 <> 0 and g.tgtype & 20 <> 0 and not g.tgisinternal
            )
            or exists (
                select from pg_catalog.pg_rewrite r
                where r.ev_class = c.oid and r.is_instead and r.ev_type in ('2', '3') and r.ev_qual::text = '<>'
            )
        ) as is_writable,
        coalesce(pg_catalog.col_description(c.oid, a.attnum), '') as comment
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    join pg_catalog.pg_type t on t.oid = a.atttypid
    join pg_catalog.pg_namespace type_namespace on type_namespace.oid = t.typnamespace
    left join pg_catalog.pg_type base on t.typtype = 'd' and base.oid = t.typbasetype
    left join pg_catalog.pg_namespace base_namespace on base_namespace.oid = base.typnamespace
    where n.nspname = any ($1::text[])
        and not pg_catalog.pg_is_other_temp_schema(n.oid)
        and a.attnum > 0
        and not a.attisdropped
        and c.relkind in ('r', 'v', 'm', 'f', 'p')
        and (
            pg_catalog.pg_has_role(c.relowner, 'usage')
            or pg_catalog.has_column_privilege(c.oid, a.attnum, 'select, insert, update, references')
        )
) as found

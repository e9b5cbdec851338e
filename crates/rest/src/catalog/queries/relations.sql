-- Tables, views, materialized views and foreign tables of the exposed schemas ($1), with their columns in order.
-- Partitions are left out: their parent stands for them.
with recursive domains as (
    select t.oid, t.oid as base from pg_type t where t.typtype <> 'd'
    union all
    select t.oid, d.base from pg_type t join domains d on t.typbasetype = d.oid where t.typtype = 'd'
), relations as (
    select c.oid, c.relname, c.relkind, n.nspname,
        case when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true) else 0 end as events
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
), column_rows as (
    select a.attrelid, json_agg(json_build_object(
        'name', a.attname,
        'description', col_description(a.attrelid, a.attnum),
        'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
        'type_oid', t.oid::int8,
        'type_schema', tn.nspname,
        'type_name', t.typname,
        'base_type', format_type(d.base, null),
        'shown_type', case
            when (t.typtype = 'd' and b.typnamespace = 'pg_catalog'::regnamespace) then format_type(d.base, null)
            when (t.typtype <> 'd' and t.typnamespace = 'pg_catalog'::regnamespace) then format_type(t.oid, null)
            else format_type(t.oid, a.atttypmod) end,
        'max_length', information_schema._pg_char_max_length(
            information_schema._pg_truetypid(a, t), information_schema._pg_truetypmod(a, t)),
        -- What stands in for a missing key: the domain's default where the column has none, the sequence of an identity
        -- column that may be written to, nothing for a generated column.
        'default', case
            when t.typtype = 'd' and def.adbin is null then pg_get_expr(t.typdefaultbin, 0)
            when a.attidentity = 'd' then format('nextval(%L)', (
                select s.objid::regclass from pg_depend s
                where s.refobjid = a.attrelid and s.refobjsubid = a.attnum and s.deptype = 'i' limit 1))
            when a.attgenerated <> '' then null
            else pg_get_expr(def.adbin, def.adrelid) end,
        'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = d.base)
    ) order by a.attnum) as columns
    from pg_attribute a
    join relations r on r.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid
    join pg_namespace tn on tn.oid = t.typnamespace
    join domains d on d.oid = t.oid
    join pg_type b on b.oid = d.base
    left join pg_attrdef def on def.adrelid = a.attrelid and def.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    group by a.attrelid
)
select r.oid, r.nspname::text as schema, r.relname::text as name, r.relkind in ('v', 'm') as is_view,
    obj_description(r.oid, 'pg_class') as description,
    -- Bits of pg_relation_is_updatable: 1 << CMD_UPDATE (2), CMD_INSERT (3), CMD_DELETE (4).
    r.relkind in ('r', 'p') or r.events & 8 = 8 as insertable,
    r.relkind in ('r', 'p') or r.events & 4 = 4 as updatable,
    r.relkind in ('r', 'p') or r.events & 16 = 16 as deletable,
    coalesce((
        select array_agg(a.attname::text order by a.attname)
        from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
        where k.conrelid = r.oid and k.contype = 'p'
    ), '{}') as primary_key,
    coalesce(c.columns, '[]')::text as columns
from relations r
left join column_rows c on c.attrelid = r.oid
order by r.nspname, r.relname

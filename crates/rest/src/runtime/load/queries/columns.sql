-- The columns of the relations of queries/relations.sql, in no order: a large schema has a hundred thousand.
select a.attrelid as relation, a.attnum as position, a.attname::text as name,
    not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)) as nullable, t.oid as type,
    -- Modifiers are shown for types that PostgreSQL does not bring along, such as geometry(Point).
    case when a.atttypmod <> -1 and t.typnamespace <> 'pg_catalog'::regnamespace
        then format_type(t.oid, a.atttypmod) end as shown_type,
    -- bpchar and varchar count their header in; bit and varbit do not.
    case case t.typtype when 'd' then t.typbasetype else t.oid end
        when 1042 then nullif(m.modifier, -1) - 4 when 1043 then nullif(m.modifier, -1) - 4
        when 1560 then nullif(m.modifier, -1) when 1562 then nullif(m.modifier, -1) end as max_length,
    -- What stands in for a missing key: the domain's default where the column has none, the sequence of an identity column
    -- that may be written to, nothing for a generated column. Defaults hold no column: told so by the 0, pg_get_expr does
    -- not lock the table.
    case
        when t.typtype = 'd' and e.adbin is null then pg_get_expr(t.typdefaultbin, 0)
        when a.attidentity = 'd' then format('nextval(%L)', (
            select s.objid::regclass from pg_depend s
            where s.refclassid = 'pg_class'::regclass and s.refobjid = a.attrelid and s.refobjsubid = a.attnum
            and s.classid = 'pg_class'::regclass and s.deptype = 'i' limit 1))
        when a.attgenerated = '' then pg_get_expr(e.adbin, 0) end as default
from pg_class c
join pg_attribute a on a.attrelid = c.oid
join pg_type t on t.oid = a.atttypid
cross join lateral (select case t.typtype when 'd' then t.typtypmod else a.atttypmod end as modifier) m
left join pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
where c.relnamespace in (select oid from pg_namespace where nspname = any($1))
and c.relkind in ('r', 'p', 'v', 'm', 'f') and (not c.relispartition or c.oid in (
    select unnest(array[conrelid, confrelid]) from pg_constraint where contype = 'f' and conparentid = 0))
and a.attnum > 0 and not a.attisdropped

-- Primary and foreign keys of every schema: views of an exposed schema may show columns of tables that are not exposed.
select k.conname::text as name, k.contype = 'f' as is_foreign, k.conparentid = 0 as is_top,
    k.conrelid as relation, n.nspname::text as schema, c.relname::text as table_name,
    k.conkey as positions,
    array(select a.attname::text from unnest(k.conkey) with ordinality u(att, ord)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.att order by u.ord) as columns,
    k.confrelid as foreign_relation, fn.nspname::text as foreign_schema, fc.relname::text as foreign_table,
    k.confkey as foreign_positions,
    array(select a.attname::text from unnest(k.confkey) with ordinality u(att, ord)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.att order by u.ord) as foreign_columns,
    -- A foreign key whose columns are also a key of their own allows one row at most.
    exists (select from pg_constraint u
        where u.conrelid = k.conrelid and u.contype in ('p', 'u')
        and u.conkey @> k.conkey and u.conkey <@ k.conkey) as is_unique
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_namespace n on n.oid = c.relnamespace
left join pg_class fc on fc.oid = k.confrelid
left join pg_namespace fn on fn.oid = fc.relnamespace
where k.contype in ('p', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
order by k.conrelid, k.conname

-- Tables, views, materialized views and foreign tables of the exposed schemas ($1). Partitions are not offered, as their
-- parent stands for them, but those with foreign keys of their own can be embedded.
select c.oid, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind, c.relispartition as is_partition
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'f') and (not c.relispartition or c.oid in (
    select unnest(array[conrelid, confrelid]) from pg_constraint where contype = 'f' and conparentid = 0))

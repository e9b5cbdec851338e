-- Types ($1), each with the type under all of its domains.
with recursive domains as (
    select oid, oid as base from pg_type where oid = any($1)
    union all
    select d.oid, t.typbasetype from domains d join pg_type t on t.oid = d.base where t.typtype = 'd'
)
select t.oid, n.nspname::text as schema, t.typname::text as name, format_type(b.oid, null) as base,
    case when t.typtype = 'd' and b.typnamespace = 'pg_catalog'::regnamespace then format_type(b.oid, null)
        else format_type(t.oid, null) end as shown,
    array(select e.enumlabel::text from pg_enum e where e.enumtypid = b.oid order by e.enumsortorder) as labels
from domains d
join pg_type t on t.oid = d.oid
join pg_namespace n on n.oid = t.typnamespace
join pg_type b on b.oid = d.base and b.typtype <> 'd'

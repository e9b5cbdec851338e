-- Producers of custom media types: domains named as a media type, made by an aggregate over rows or returned by a function
-- of the exposed schemas ($1). An aggregate over anyelement takes the rows of any relation.
with media as (
    select oid, typname::text as type, lower(typname::text) as key, typnamespace
    from pg_type
    where typtype = 'd' and (typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$' or typname = '*/*')
)
select pn.nspname::text as handler_schema, p.proname::text as handler_name,
    case when a.typname = 'anyelement' then null else an.nspname::text end as target_schema,
    case when a.typname = 'anyelement' then null else a.typname::text end as target_name,
    m.key as media_type,
    case m.type when '*/*' then 'application/octet-stream' else m.type end as produced
from media m
join pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
join pg_namespace pn on pn.oid = p.pronamespace and pn.nspname = any($1)
join pg_type a on a.oid = p.proargtypes[0]
join pg_namespace an on an.oid = a.typnamespace
where a.typname = 'anyelement' or exists (
    select from pg_class c where c.reltype = a.oid and c.relkind in ('r', 'p', 'v', 'm', 'f'))
union all
select mn.nspname::text, m.type, pn.nspname::text, p.proname::text, m.key,
    case m.type when '*/*' then 'application/octet-stream' else m.type end
from media m
join pg_namespace mn on mn.oid = m.typnamespace
join pg_proc p on p.prorettype = m.oid and p.prokind = 'f' and not p.proretset
join pg_namespace pn on pn.oid = p.pronamespace and pn.nspname = any($1)

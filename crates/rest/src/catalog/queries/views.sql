-- The stored queries of views in the exposed schemas ($1) and the extra search path ($2). Only views of exposed schemas
-- are offered, but they may be built on others.
select c.oid, n.nspname::text as schema, c.relname::text as name, n.nspname = any($1) as is_exposed,
    r.ev_action::text as query,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 order by a.attnum) as columns
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
where c.relkind in ('v', 'm') and (n.nspname = any($1) or n.nspname = any($2))

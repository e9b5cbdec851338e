-- Views of the exposed schemas ($1) and the extra search path ($2). Only views of exposed schemas are offered, but they may
-- be built on others.
select c.oid, n.nspname = any($1) as is_exposed
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and (n.nspname = any($1) or n.nspname = any($2))

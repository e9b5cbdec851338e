-- Functions of a row that are declared to change nothing: columns and relationships that somebody computes.
select n.nspname::text as schema, p.proname::text as name, sn.nspname::text as source_schema, s.relname::text as source_name
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_class s on s.reltype = p.proargtypes[0] and s.relkind in ('r', 'p', 'v', 'm', 'f')
join pg_namespace sn on sn.oid = s.relnamespace
where p.pronargs = 1 and p.provolatile <> 'v' and s.reltype <> 0

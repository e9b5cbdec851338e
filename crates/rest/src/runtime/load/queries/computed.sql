-- Functions from a row of one relation to rows of another: relationships that somebody computes.
select n.nspname::text as schema, p.proname::text as name,
    sn.nspname::text as source_schema, s.relname::text as source_name,
    tn.nspname::text as target_schema, t.relname::text as target_name,
    not p.proretset or p.prorows = 1 as is_to_one
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_class s on s.reltype = p.proargtypes[0] and s.relkind in ('r', 'p', 'v', 'm', 'f')
join pg_namespace sn on sn.oid = s.relnamespace
join pg_class t on t.reltype = p.prorettype and t.relkind in ('r', 'p', 'v', 'm', 'f')
join pg_namespace tn on tn.oid = t.relnamespace
where p.pronargs = 1 and s.reltype <> 0 and t.reltype <> 0

-- Implicit casts by function between a domain and json or text: other forms in which a column is shown and read.
select c.castsource as source, c.casttarget as target, n.nspname::text as schema, p.proname::text as name
from pg_cast c
join pg_proc p on p.oid = c.castfunc
join pg_namespace n on n.oid = p.pronamespace
join pg_type s on s.oid = c.castsource
join pg_type t on t.oid = c.casttarget
where c.castcontext = 'i' and c.castmethod = 'f' and has_function_privilege(p.oid, 'execute')
and ((s.typtype = 'd' and t.oid in ('json'::regtype, 'text'::regtype))
  or (t.typtype = 'd' and s.oid in ('json'::regtype, 'text'::regtype)))

-- What the role may use of the schema that `asked` names, and what the schema's comment says.
select json_build_object(
    'description', obj_description(n.oid, 'pg_namespace'),
    'relations', coalesce((
        select json_agg(c.relname) from pg_class c
        where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and (pg_has_role(c.relowner, 'usage')
            or has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
            or has_any_column_privilege(c.oid, 'select, insert, update, references'))
    ), '[]'),
    -- Types are shown as the request's search path shows them: without the schema where it is on the path.
    'routines', coalesce((
        select json_object_agg(p.oid::int8, coalesce((
            select json_agg(a.type::regtype::text order by a.position)
            from unnest(p.proargtypes::oid[]) with ordinality a(type, position)
        ), '[]')) from pg_proc p
        where p.pronamespace = n.oid and has_function_privilege(p.oid, 'execute')
    ), '{}')
)::text
from pg_namespace n join asked on n.nspname = asked.schema

-- The functions of the schemas $1 that can be called: no triggers, aggregates, window functions or procedures. Arguments are all
-- of them, in order, OUT and TABLE included.
select coalesce(json_agg(found), '[]')::text
from (
    select
        p.oid::int8 as id,
        n.nspname as schema,
        p.proname as name,
        pg_catalog.pg_get_function_arguments(p.oid) as argument_types,
        pg_catalog.pg_get_function_identity_arguments(p.oid) as identity_argument_types,
        p.prorettype::int8 as return_type_id,
        pg_catalog.pg_get_function_result(p.oid) as return_type,
        nullif(t.typrelid::int8, 0) as return_relation_id,
        p.proretset as is_set,
        p.prorows as rows,
        p.pronargs as inputs,
        p.pronargdefaults as defaults,
        coalesce(to_json(p.proargmodes::text[]), '[]') as modes,
        coalesce(to_json(p.proargnames), '[]') as names,
        array_to_json(coalesce(p.proallargtypes, p.proargtypes::oid[])::int8[]) as types
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_type t on t.oid = p.prorettype
    where n.nspname = any ($1::text[])
        and p.prokind = 'f'
        and pg_catalog.pg_get_function_result(p.oid) not in ('trigger', 'event_trigger')
) as found

-- Functions of the exposed schemas ($1) that can be called with named arguments or with one unnamed argument of a type
-- that a whole body can be. Where some arguments have names, those without count as named '', as upstream has it.
-- $2 names the settings that are put in force before a call (regular expressions).
with recursive domains as (
    select t.oid, t.oid as base from pg_type t where t.typtype <> 'd'
    union all
    select t.oid, d.base from pg_type t join domains d on t.typbasetype = d.oid where t.typtype = 'd'
), functions as (
    select p.*, n.nspname from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any($1) and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
), inputs as (
    select f.oid, coalesce(a.name, '') as name, a.name is null as is_unnamed, a.type, a.mode = 'v' as is_variadic,
        row_number() over (partition by f.oid order by a.ord) as position,
        count(*) over (partition by f.oid) as inputs,
        f.pronargdefaults
    from functions f,
    lateral unnest(
        coalesce(f.proallargtypes, f.proargtypes::oid[]), f.proargnames, f.proargmodes::text[]
    ) with ordinality a(type, name, mode, ord)
    where coalesce(a.mode, 'i') in ('i', 'b', 'v')
), arguments as (
    select i.oid,
        json_agg(json_build_object(
            'name', i.name, 'type', i.type::regtype::text, 'type_schema', tn.nspname, 'type_name', t.typname,
            'is_required', i.position <= i.inputs - i.pronargdefaults, 'is_variadic', coalesce(i.is_variadic, false)
        ) order by i.position) as list,
        count(*) filter (where i.is_unnamed) as unnamed,
        bool_and(i.type in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype,
            'xml'::regtype)) as is_callable
    from inputs i
    join pg_type t on t.oid = i.type
    join pg_namespace tn on tn.oid = t.typnamespace
    group by i.oid
)
select f.oid, f.nspname::text as schema, f.proname::text as name, obj_description(f.oid, 'pg_proc') as description,
    coalesce(a.list, '[]')::text as parameters,
    rn.nspname::text as return_schema, coalesce(rc.relname, r.typname)::text as return_name, f.proretset as returns_set,
    r.typtype = 'c' or coalesce(f.proargmodes::text[] && '{t,b,o}', false) as is_composite,
    f.provolatile::text as volatility,
    (select split_part(split_part(s, '=', 2), ',', 1) from unnest(f.proconfig) s
        where s like 'default\_transaction\_isolation=%') as isolation,
    coalesce((select json_agg(json_build_array(split_part(s, '=', 1), substr(s, strpos(s, '=') + 1)))
        from unnest(f.proconfig) s where s ~ any($2)), '[]')::text as settings
from functions f
join domains d on d.oid = f.prorettype
join pg_type r on r.oid = d.base
join pg_namespace rn on rn.oid = r.typnamespace
left join pg_class rc on rc.oid = r.typrelid
left join arguments a on a.oid = f.oid
where coalesce(a.unnamed, 0) = 0 or (a.unnamed = 1 and a.is_callable)
order by f.nspname, f.proname, f.oid

-- Aggregates, operators, casts and collations of the schemas $1, without those of extensions. PostgreSQL has no function that prints
-- them. A cast belongs to the schemas of its types and its function.
with grants (class, id, list) as (
    select 'pg_proc'::regclass, p.oid, json_agg(json_build_object(
        'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
        'privilege', lower(x.privilege_type),
        'grantable', x.is_grantable
    ))
    from pg_catalog.pg_proc p
    cross join lateral pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
    where p.prokind = 'a' and x.grantee <> p.proowner
    group by p.oid
)
select coalesce(json_agg(found), '[]')::text
from (
    select
        'function ' || p.oid::regprocedure::text as key,
        'aggregate' as kind,
        n.nspname as schema,
        format('aggregate %I.%I(%s)', n.nspname, p.proname, call.arguments) as phrase,
        p.oid::regprocedure::text as name,
        format('create aggregate %I.%I(%s) (%s)', n.nspname, p.proname, call.arguments, concat_ws(
            ', ',
            'sfunc = ' || a.aggtransfn::text,
            'stype = ' || pg_catalog.format_type(a.aggtranstype, null),
            'sspace = ' || nullif(a.aggtransspace, 0),
            'finalfunc = ' || nullif(a.aggfinalfn::oid, 0)::regproc::text,
            case when a.aggfinalextra then 'finalfunc_extra' end,
            'finalfunc_modify = ' || case when a.aggfinalmodify <> case when a.aggkind = 'n' then 'r' else 'w' end
                then case a.aggfinalmodify when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end end,
            'combinefunc = ' || nullif(a.aggcombinefn::oid, 0)::regproc::text,
            'serialfunc = ' || nullif(a.aggserialfn::oid, 0)::regproc::text,
            'deserialfunc = ' || nullif(a.aggdeserialfn::oid, 0)::regproc::text,
            'initcond = ' || quote_literal(a.agginitval),
            'msfunc = ' || nullif(a.aggmtransfn::oid, 0)::regproc::text,
            'minvfunc = ' || nullif(a.aggminvtransfn::oid, 0)::regproc::text,
            'mstype = ' || case when a.aggmtranstype <> 0 then pg_catalog.format_type(a.aggmtranstype, null) end,
            'msspace = ' || nullif(a.aggmtransspace, 0),
            'mfinalfunc = ' || nullif(a.aggmfinalfn::oid, 0)::regproc::text,
            case when a.aggmfinalextra then 'mfinalfunc_extra' end,
            'minitcond = ' || quote_literal(a.aggminitval),
            'sortop = operator(' || (
                select format('%I.%s', sn.nspname, s.oprname)
                from pg_catalog.pg_operator s
                join pg_catalog.pg_namespace sn on sn.oid = s.oprnamespace
                where s.oid = a.aggsortop
            ) || ')',
            'parallel = ' || case p.proparallel when 's' then 'safe' when 'r' then 'restricted' end,
            case when a.aggkind = 'h' then 'hypothetical' end
        )) as create,
        format('drop aggregate %I.%I(%s)', n.nspname, p.proname, call.arguments) as drop,
        pg_catalog.obj_description(p.oid, 'pg_proc') as comment,
        coalesce(g.list, '[]') as grants,
        pg_catalog.pg_get_userbyid(p.proowner) as owner
    from pg_catalog.pg_aggregate a
    join pg_catalog.pg_proc p on p.oid = a.aggfnoid
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    cross join lateral (
        -- An aggregate without arguments is written with a star.
        select coalesce(nullif(pg_catalog.pg_get_function_identity_arguments(p.oid), ''), '*') as arguments
    ) as call
    left join grants g on g.id = p.oid
    where n.nspname = any ($1::text[])
        and not exists (
            select from pg_catalog.pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
        )
    union all
    select
        'operator ' || o.oid::regoperator::text,
        'operator',
        n.nspname,
        'operator ' || o.oid::regoperator::text,
        o.oid::regoperator::text,
        format('create operator %I.%s (%s)', n.nspname, o.oprname, concat_ws(
            ', ',
            'function = ' || o.oprcode::text,
            'leftarg = ' || case when o.oprleft <> 0 then pg_catalog.format_type(o.oprleft, null) end,
            'rightarg = ' || pg_catalog.format_type(o.oprright, null),
            'commutator = operator(' || other.commutator || ')',
            'negator = operator(' || other.negator || ')',
            'restrict = ' || nullif(o.oprrest::oid, 0)::regproc::text,
            'join = ' || nullif(o.oprjoin::oid, 0)::regproc::text,
            case when o.oprcanhash then 'hashes' end,
            case when o.oprcanmerge then 'merges' end
        )),
        'drop operator ' || o.oid::regoperator::text,
        pg_catalog.obj_description(o.oid, 'pg_operator'),
        '[]',
        pg_catalog.pg_get_userbyid(o.oprowner)
    from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    cross join lateral (
        select
            max(format('%I.%s', xn.nspname, x.oprname)) filter (where x.oid = o.oprcom) as commutator,
            max(format('%I.%s', xn.nspname, x.oprname)) filter (where x.oid = o.oprnegate) as negator
        from pg_catalog.pg_operator x
        join pg_catalog.pg_namespace xn on xn.oid = x.oprnamespace
        where x.oid in (o.oprcom, o.oprnegate)
    ) as other
    where n.nspname = any ($1::text[])
        -- Leaves out shell operators, which exist only because another operator names them.
        and o.oprcode <> 0
        and not exists (
            select from pg_catalog.pg_depend d where d.classid = 'pg_operator'::regclass and d.objid = o.oid and d.deptype = 'e'
        )
    union all
    select
        'cast ' || of.types,
        'cast',
        coalesce(fn.nspname, sn.nspname),
        'cast ' || of.types,
        of.types,
        format(
            'create cast %s %s%s', of.types,
            case c.castmethod when 'f' then 'with function ' || c.castfunc::regprocedure::text when 'i' then 'with inout' else 'without function' end,
            case c.castcontext when 'a' then ' as assignment' when 'i' then ' as implicit' else '' end
        ),
        'drop cast ' || of.types,
        pg_catalog.obj_description(c.oid, 'pg_cast'),
        '[]',
        ''
    from pg_catalog.pg_cast c
    join pg_catalog.pg_type s on s.oid = c.castsource
    join pg_catalog.pg_namespace sn on sn.oid = s.typnamespace
    join pg_catalog.pg_type t on t.oid = c.casttarget
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
    left join pg_catalog.pg_proc f on f.oid = c.castfunc
    left join pg_catalog.pg_namespace fn on fn.oid = f.pronamespace
    cross join lateral (
        select format('(%s as %s)', pg_catalog.format_type(s.oid, null), pg_catalog.format_type(t.oid, null)) as types
    ) as of
    where (sn.nspname = any ($1::text[]) or tn.nspname = any ($1::text[]) or fn.nspname = any ($1::text[]))
        and not exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_cast'::regclass and d.objid = c.oid and d.deptype in ('e', 'i')
        )
    union all
    select
        'collation ' || format('%I.%I', n.nspname, l.collname),
        'collation',
        n.nspname,
        format('collation %I.%I', n.nspname, l.collname),
        format('%I.%I', n.nspname, l.collname),
        format('create collation %I.%I (%s)', n.nspname, l.collname, concat_ws(
            ', ',
            'provider = ' || case l.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
            -- PostgreSQL 17 renamed the column.
            'locale = ' || quote_literal(coalesce(of.row ->> 'colllocale', of.row ->> 'colliculocale')),
            case when l.collprovider = 'c' then format('lc_collate = %L, lc_ctype = %L', l.collcollate, l.collctype) end,
            case when not l.collisdeterministic then 'deterministic = false' end,
            'rules = ' || quote_literal(of.row ->> 'collicurules')
        )),
        format('drop collation %I.%I', n.nspname, l.collname),
        pg_catalog.obj_description(l.oid, 'pg_collation'),
        '[]',
        pg_catalog.pg_get_userbyid(l.collowner)
    from pg_catalog.pg_collation l
    join pg_catalog.pg_namespace n on n.oid = l.collnamespace
    cross join lateral (select to_jsonb(l) as row) as of
    where n.nspname = any ($1::text[])
        and not exists (
            select from pg_catalog.pg_depend d where d.classid = 'pg_collation'::regclass and d.objid = l.oid and d.deptype = 'e'
        )
) as found

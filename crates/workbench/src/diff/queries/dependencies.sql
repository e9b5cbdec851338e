-- Which object of the schemas $1 needs which other one, and for columns which.
with objects (class, id, key) as (
    select 'pg_namespace'::regclass, n.oid, 'schema ' || quote_ident(n.nspname) from pg_catalog.pg_namespace n
    union all
    select 'pg_extension'::regclass, e.oid, 'extension ' || quote_ident(e.extname) from pg_catalog.pg_extension e
    union all
    select part.class, part.id, 'relation ' || format('%I.%I', n.nspname, c.relname)
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_type t on t.oid = c.reltype
    cross join lateral (
        values ('pg_class'::regclass, c.oid), ('pg_type'::regclass, c.reltype), ('pg_type'::regclass, t.typarray)
    ) as part (class, id)
    where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S') and part.id <> 0
    union all
    select part.class, part.id, 'type ' || format('%I.%I', n.nspname, t.typname)
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_class c on c.oid = t.typrelid
    cross join lateral (
        values ('pg_type'::regclass, t.oid), ('pg_type'::regclass, t.typarray), ('pg_class'::regclass, t.typrelid)
    ) as part (class, id)
    where n.nspname = any ($1::text[])
        and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
        and part.id <> 0
    union all
    select 'pg_proc'::regclass, p.oid, 'function ' || p.oid::regprocedure::text
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1::text[])
    union all
    select part.class, part.id, 'constraint ' || format('%I.%I.%I', n.nspname, c.relname, k.conname)
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
        values ('pg_constraint'::regclass, k.oid), ('pg_class'::regclass, case when k.contype in ('p', 'u', 'x') then k.conindid end)
    ) as part (class, id)
    where n.nspname = any ($1::text[]) and part.id is not null
    union all
    select 'pg_class'::regclass, i.oid, 'index ' || format('%I.%I', n.nspname, i.relname)
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_namespace n on n.oid = i.relnamespace
    where n.nspname = any ($1::text[])
        and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
    union all
    select 'pg_operator'::regclass, o.oid, 'operator ' || o.oid::regoperator::text
    from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    where n.nspname = any ($1::text[])
    union all
    select
        'pg_cast'::regclass, t.oid,
        format('cast (%s as %s)', pg_catalog.format_type(t.castsource, null), pg_catalog.format_type(t.casttarget, null))
    from pg_catalog.pg_cast t
    union all
    select 'pg_collation'::regclass, l.oid, 'collation ' || format('%I.%I', n.nspname, l.collname)
    from pg_catalog.pg_collation l
    join pg_catalog.pg_namespace n on n.oid = l.collnamespace
    where n.nspname = any ($1::text[])
    union all
    select 'pg_foreign_server'::regclass, s.oid, 'server ' || quote_ident(s.srvname) from pg_catalog.pg_foreign_server s
    union all
    -- A foreign data wrapper belongs to its extension.
    select 'pg_foreign_data_wrapper'::regclass, d.objid, 'extension ' || quote_ident(e.extname)
    from pg_catalog.pg_depend d
    join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_foreign_data_wrapper'::regclass and d.deptype = 'e' and d.refclassid = 'pg_extension'::regclass
    union all
    select 'pg_publication'::regclass, p.oid, 'publication ' || quote_ident(p.pubname) from pg_catalog.pg_publication p
    union all
    select 'pg_publication_rel'::regclass, r.oid, format('published %I %I.%I', p.pubname, n.nspname, c.relname)
    from pg_catalog.pg_publication_rel r
    join pg_catalog.pg_publication p on p.oid = r.prpubid
    join pg_catalog.pg_class c on c.oid = r.prrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    union all
    select 'pg_publication_namespace'::regclass, s.oid, format('published %I schema %I', p.pubname, n.nspname)
    from pg_catalog.pg_publication_namespace s
    join pg_catalog.pg_publication p on p.oid = s.pnpubid
    join pg_catalog.pg_namespace n on n.oid = s.pnnspid
    union all
    select 'pg_event_trigger'::regclass, t.oid, 'event trigger ' || quote_ident(t.evtname) from pg_catalog.pg_event_trigger t
    union all
    select 'pg_attrdef'::regclass, d.oid, 'relation ' || format('%I.%I', n.nspname, c.relname)
    from pg_catalog.pg_attrdef d
    join pg_catalog.pg_class c on c.oid = d.adrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
    union all
    select
        'pg_rewrite'::regclass, r.oid,
        case r.rulename
            when '_RETURN' then 'relation ' || format('%I.%I', n.nspname, c.relname)
            else 'rule ' || format('%I.%I.%I', n.nspname, c.relname, r.rulename)
        end
    from pg_catalog.pg_rewrite r
    join pg_catalog.pg_class c on c.oid = r.ev_class
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
    union all
    select 'pg_trigger'::regclass, t.oid, 'trigger ' || format('%I.%I.%I', n.nspname, c.relname, t.tgname)
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
    union all
    select 'pg_policy'::regclass, p.oid, 'policy ' || format('%I.%I.%I', n.nspname, c.relname, p.polname)
    from pg_catalog.pg_policy p
    join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
)
select coalesce(json_agg(distinct jsonb_build_array(o.key, needed.key, coalesce(quote_ident(a.attname), ''))), '[]')::text
from pg_catalog.pg_depend d
join objects o on o.class = d.classid and o.id = d.objid
join objects needed on needed.class = d.refclassid and needed.id = d.refobjid
left join pg_catalog.pg_class s on d.classid = 'pg_class'::regclass and s.oid = d.objid
left join pg_catalog.pg_attribute a
    on d.refclassid = 'pg_class'::regclass and a.attrelid = d.refobjid and a.attnum = d.refobjsubid and d.refobjsubid > 0
where o.key <> needed.key
    and d.deptype in ('n', 'a', 'i')
    -- A sequence is made before the column that owns it, whose default needs it.
    and (s.relkind is distinct from 'S' or d.refclassid = 'pg_namespace'::regclass)

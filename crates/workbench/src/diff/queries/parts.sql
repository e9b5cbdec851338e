-- What belongs to relations of the schemas $1: constraints, indexes, triggers, rules and policies. Copies that partitions have of
-- their parent's are left out.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'constraint ' || format('%I.%I.%I', n.nspname, c.relname, k.conname) as key,
        case k.contype when 'f' then 'foreign key' else 'constraint' end as kind,
        n.nspname as schema,
        'relation ' || format('%I.%I', n.nspname, c.relname) as parent,
        format('constraint %I on %I.%I', k.conname, n.nspname, c.relname) as phrase,
        format('alter table %I.%I add constraint %I %s', n.nspname, c.relname, k.conname, pg_catalog.pg_get_constraintdef(k.oid)) as create,
        format('alter table %I.%I drop constraint %I', n.nspname, c.relname, k.conname) as drop,
        pg_catalog.obj_description(k.oid, 'pg_constraint') as comment
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and k.contype in ('p', 'u', 'x', 'c', 'f') and k.conparentid = 0 and k.conislocal
    union all
    select
        'index ' || format('%I.%I', n.nspname, i.relname),
        'index',
        n.nspname,
        'relation ' || format('%I.%I', tn.nspname, c.relname),
        format('index %I.%I', n.nspname, i.relname),
        pg_catalog.pg_get_indexdef(i.oid),
        format('drop index %I.%I', n.nspname, i.relname),
        pg_catalog.obj_description(i.oid, 'pg_class')
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_namespace n on n.oid = i.relnamespace
    join pg_catalog.pg_class c on c.oid = x.indrelid
    join pg_catalog.pg_namespace tn on tn.oid = c.relnamespace
    where n.nspname = any ($1::text[])
        and not i.relispartition
        and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
    union all
    select
        'trigger ' || format('%I.%I.%I', n.nspname, c.relname, t.tgname),
        'trigger',
        n.nspname,
        'relation ' || format('%I.%I', n.nspname, c.relname),
        format('trigger %I on %I.%I', t.tgname, n.nspname, c.relname),
        pg_catalog.pg_get_triggerdef(t.oid) || case t.tgenabled
            when 'D' then format(E';\nalter table %I.%I disable trigger %I', n.nspname, c.relname, t.tgname)
            when 'A' then format(E';\nalter table %I.%I enable always trigger %I', n.nspname, c.relname, t.tgname)
            when 'R' then format(E';\nalter table %I.%I enable replica trigger %I', n.nspname, c.relname, t.tgname)
            else ''
        end,
        format('drop trigger %I on %I.%I', t.tgname, n.nspname, c.relname),
        pg_catalog.obj_description(t.oid, 'pg_trigger')
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and not t.tgisinternal and t.tgparentid = 0
    union all
    select
        'rule ' || format('%I.%I.%I', n.nspname, c.relname, r.rulename),
        'rule',
        n.nspname,
        'relation ' || format('%I.%I', n.nspname, c.relname),
        format('rule %I on %I.%I', r.rulename, n.nspname, c.relname),
        rtrim(pg_catalog.pg_get_ruledef(r.oid), ';'),
        format('drop rule %I on %I.%I', r.rulename, n.nspname, c.relname),
        pg_catalog.obj_description(r.oid, 'pg_rewrite')
    from pg_catalog.pg_rewrite r
    join pg_catalog.pg_class c on c.oid = r.ev_class
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and r.rulename <> '_RETURN'
    union all
    select
        'policy ' || format('%I.%I.%I', n.nspname, c.relname, p.polname),
        'policy',
        n.nspname,
        'relation ' || format('%I.%I', n.nspname, c.relname),
        format('policy %I on %I.%I', p.polname, n.nspname, c.relname),
        format(
            'create policy %I on %I.%I as %s for %s to %s%s%s', p.polname, n.nspname, c.relname,
            case when p.polpermissive then 'permissive' else 'restrictive' end,
            case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
            (
                select string_agg(coalesce(quote_ident(r.rolname), 'public'), ', ' order by r.rolname)
                from unnest(p.polroles) as of (id)
                left join pg_catalog.pg_roles r on r.oid = of.id
            ),
            ' using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')',
            ' with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')'
        ),
        format('drop policy %I on %I.%I', p.polname, n.nspname, c.relname),
        pg_catalog.obj_description(p.oid, 'pg_policy')
    from pg_catalog.pg_policy p
    join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[])
) as found

-- Enums, composite types, domains and ranges of the schemas $1, without those of extensions.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'type ' || format('%I.%I', n.nspname, t.typname) as key,
        case t.typtype when 'e' then 'enum' when 'd' then 'domain' when 'r' then 'range' else 'composite' end as kind,
        n.nspname as schema,
        format('%s %I.%I', case t.typtype when 'd' then 'domain' else 'type' end, n.nspname, t.typname) as phrase,
        format('%I.%I', n.nspname, t.typname) as name,
        case t.typtype
            when 'd' then format(
                'create domain %I.%I as %s%s%s%s', n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod),
                ' default ' || t.typdefault, case when t.typnotnull then ' not null' else '' end,
                (
                    select string_agg(format(' constraint %I %s', k.conname, pg_catalog.pg_get_constraintdef(k.oid)), '' order by k.conname)
                    from pg_catalog.pg_constraint k
                    where k.contypid = t.oid and k.contype = 'c'
                )
            )
            when 'r' then (
                select format('create type %I.%I as range (subtype = %s)', n.nspname, t.typname, pg_catalog.format_type(r.rngsubtype, null))
                from pg_catalog.pg_range r where r.rngtypid = t.oid
            )
            when 'e' then format(
                'create type %I.%I as enum (%s)', n.nspname, t.typname,
                (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid)
            )
            else format(
                'create type %I.%I as (%s)', n.nspname, t.typname,
                (
                    select string_agg(format('%I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
                    from pg_catalog.pg_attribute a
                    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
                )
            )
        end as create,
        format('drop %s %I.%I', case t.typtype when 'd' then 'domain' else 'type' end, n.nspname, t.typname) as drop,
        pg_catalog.obj_description(t.oid, 'pg_type') as comment,
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(coalesce(t.typacl, pg_catalog.acldefault('T', t.typowner))) x
            where x.grantee <> t.typowner
        ) as grants,
        pg_catalog.pg_get_userbyid(t.typowner) as owner,
        json_build_object(
            'base', pg_catalog.format_type(t.typbasetype, t.typtypmod),
            'default', coalesce(t.typdefault, ''),
            'not_null', t.typnotnull,
            'labels', (
                select coalesce(json_agg(quote_literal(e.enumlabel) order by e.enumsortorder), '[]')
                from pg_catalog.pg_enum e where e.enumtypid = t.oid
            ),
            'attributes', (
                select coalesce(json_agg(json_build_array(quote_ident(a.attname), pg_catalog.format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
                from pg_catalog.pg_attribute a
                where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
            ),
            'constraints', (
                select coalesce(json_agg(json_build_array(quote_ident(k.conname), pg_catalog.pg_get_constraintdef(k.oid)) order by k.conname), '[]')
                from pg_catalog.pg_constraint k
                where k.contypid = t.oid and k.contype = 'c'
            )
        ) as detail
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_class c on c.oid = t.typrelid
    where n.nspname = any ($1::text[])
        and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
        and not exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
        )
) as found

-- Tables, foreign tables, views, materialized views and sequences of the schemas $1, without those of extensions and of identity columns.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'relation ' || format('%I.%I', n.nspname, c.relname) as key,
        case c.relkind
            when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
            else 'sequence'
        end as kind,
        n.nspname as schema,
        format(
            '%s %I.%I',
            case c.relkind
                when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
                else 'sequence'
            end, n.nspname, c.relname
        ) as phrase,
        format('%I.%I', n.nspname, c.relname) as name,
        case c.relkind
            when 'v' then format(
                'view %I.%I%s as%s', n.nspname, c.relname,
                ' with (' || array_to_string(c.reloptions, ', ') || ')', E'\n' || rtrim(pg_catalog.pg_get_viewdef(c.oid), ';')
            )
            when 'm' then format(
                'create materialized view %I.%I as%s', n.nspname, c.relname, E'\n' || rtrim(pg_catalog.pg_get_viewdef(c.oid), ';')
            )
            when 'S' then format(
                'sequence %I.%I as %s increment by %s minvalue %s maxvalue %s start with %s cache %s %s',
                n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, null), s.seqincrement, s.seqmin, s.seqmax, s.seqstart,
                s.seqcache, case when s.seqcycle then 'cycle' else 'no cycle' end
            )
            when 'f' then foreign_table.text
            else ''
        end as create,
        format(
            'drop %s %I.%I',
            case c.relkind
                when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
                else 'sequence'
            end, n.nspname, c.relname
        ) as drop,
        pg_catalog.obj_description(c.oid, 'pg_class') as comment,
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(
                coalesce(c.relacl, pg_catalog.acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
            ) x
            where x.grantee <> c.relowner
        ) as grants,
        pg_catalog.pg_get_userbyid(c.relowner) as owner,
        json_build_object(
            'row_security', c.relrowsecurity,
            'force_row_security', c.relforcerowsecurity,
            'replica_identity', c.relreplident,
            'unlogged', c.relpersistence = 'u',
            'options', coalesce(array_to_string(c.reloptions, ', '), ''),
            'partition_key', coalesce(pg_catalog.pg_get_partkeydef(c.oid), ''),
            'parent', coalesce(
                (
                    select format('%I.%I', pn.nspname, p.relname)
                    from pg_catalog.pg_inherits i
                    join pg_catalog.pg_class p on p.oid = i.inhparent
                    join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
                    where i.inhrelid = c.oid and c.relispartition
                ), ''
            ),
            'bound', coalesce(pg_catalog.pg_get_expr(c.relpartbound, c.oid), ''),
            'owned_by', coalesce(
                (
                    select format('%I.%I.%I', tn.nspname, t.relname, a.attname)
                    from pg_catalog.pg_depend d
                    join pg_catalog.pg_class t on t.oid = d.refobjid
                    join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
                    join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'a' and c.relkind = 'S'
                ), ''
            ),
            'columns', columns.list
        ) as detail
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_sequence s on s.seqrelid = c.oid
    left join lateral (
        select format(
            'create foreign table %I.%I (%s) server %I%s', n.nspname, c.relname,
            (
                select string_agg(
                    format('%I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod))
                        || coalesce(' options (' || (
                            select string_agg(format('%I %L', o.option_name, o.option_value), ', ')
                            from pg_catalog.pg_options_to_table(a.attfdwoptions) o
                        ) || ')', '')
                        || coalesce(' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
                        || case when a.attnotnull then ' not null' else '' end,
                    ', ' order by a.attnum
                )
                from pg_catalog.pg_attribute a
                left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            ),
            v.srvname,
            ' options (' || (
                select string_agg(format('%I %L', o.option_name, o.option_value), ', ') from pg_catalog.pg_options_to_table(f.ftoptions) o
            ) || ')'
        ) as text
        from pg_catalog.pg_foreign_table f
        join pg_catalog.pg_foreign_server v on v.oid = f.ftserver
        where f.ftrelid = c.oid
    ) as foreign_table on true
    cross join lateral (
        select coalesce(json_agg(json_build_object(
            'name', quote_ident(a.attname),
            'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
            'collation', coalesce(
                (
                    select format('%I.%I', cn.nspname, l.collname)
                    from pg_catalog.pg_collation l
                    join pg_catalog.pg_namespace cn on cn.oid = l.collnamespace
                    where l.oid = a.attcollation and l.oid <> t.typcollation
                ), ''
            ),
            'not_null', a.attnotnull,
            'expression', coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), ''),
            'identity', a.attidentity,
            'generated', a.attgenerated,
            'comment', pg_catalog.col_description(c.oid, a.attnum),
            'grants', (
                select coalesce(json_agg(json_build_object(
                    'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                    'privilege', lower(x.privilege_type),
                    'grantable', x.is_grantable
                )), '[]')
                from pg_catalog.aclexplode(a.attacl) x
                where x.grantee <> c.relowner
            )
        ) order by a.attnum), '[]') as list
        from pg_catalog.pg_attribute a
        join pg_catalog.pg_type t on t.oid = a.atttypid
        left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and c.relkind <> 'S'
    ) as columns
    where n.nspname = any ($1::text[])
        and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
        and c.relpersistence <> 't'
        and not exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_class'::regclass
                and d.objid = c.oid
                and (d.deptype = 'e' or d.deptype = 'i' and c.relkind = 'S')
        )
) as found

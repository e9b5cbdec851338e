-- Publications and what they publish, the event triggers whose functions are in the schemas $1, foreign servers and foreign tables.
-- Each published table and schema is an object of its own. Publications of the platform itself are left out.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'publication ' || quote_ident(p.pubname) as key,
        'publication' as kind,
        '' as schema,
        format('publication %I', p.pubname) as phrase,
        quote_ident(p.pubname) as name,
        null as parent,
        format('create publication %I%s with (%s)', p.pubname, case when p.puballtables then ' for all tables' else '' end, of.options) as create,
        format('drop publication %I', p.pubname) as drop,
        pg_catalog.obj_description(p.oid, 'pg_publication') as comment,
        '[]'::json as grants,
        case when p.puballtables then '' else pg_catalog.pg_get_userbyid(p.pubowner) end as owner,
        json_build_object('base', case when p.puballtables then 'all' else '' end, 'options', of.options) as detail
    from pg_catalog.pg_publication p
    cross join lateral (
        select format('publish = ''%s''', array_to_string(array[
            case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
            case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end
        ], ', '))
        || ', publish_via_partition_root = ' || p.pubviaroot
        || case to_jsonb(p) ->> 'pubgencols'
            when 's' then ', publish_generated_columns = stored'
            when 'n' then ', publish_generated_columns = none'
            else ''
        end as options
    ) as of
    where p.pubname !~ '^(supabase_realtime_messages_publication|dugout_)'
    union all
    select
        format('published %I %I.%I', p.pubname, n.nspname, c.relname),
        'published',
        n.nspname,
        '',
        '',
        'relation ' || format('%I.%I', n.nspname, c.relname),
        format(
            'alter publication %I add table %s%I.%I%s%s', p.pubname, case when c.relkind = 'p' then '' else 'only ' end, n.nspname, c.relname,
            ' (' || (
                select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
                from pg_catalog.pg_attribute a
                where a.attrelid = c.oid and a.attnum = any (r.prattrs::smallint[])
            ) || ')',
            ' where (' || pg_catalog.pg_get_expr(r.prqual, r.prrelid) || ')'
        ),
        format(
            'alter publication %I drop table %s%I.%I', p.pubname, case when c.relkind = 'p' then '' else 'only ' end, n.nspname, c.relname
        ),
        null, '[]', '', json_build_object('base', 'publication ' || quote_ident(p.pubname))
    from pg_catalog.pg_publication_rel r
    join pg_catalog.pg_publication p on p.oid = r.prpubid
    join pg_catalog.pg_class c on c.oid = r.prrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and p.pubname !~ '^(supabase_realtime_messages_publication|dugout_)'
    union all
    select
        format('published %I schema %I', p.pubname, n.nspname),
        'published',
        n.nspname,
        '',
        '',
        'schema ' || quote_ident(n.nspname),
        format('alter publication %I add tables in schema %I', p.pubname, n.nspname),
        format('alter publication %I drop tables in schema %I', p.pubname, n.nspname),
        null, '[]', '', json_build_object('base', 'publication ' || quote_ident(p.pubname))
    from pg_catalog.pg_publication_namespace s
    join pg_catalog.pg_publication p on p.oid = s.pnpubid
    join pg_catalog.pg_namespace n on n.oid = s.pnnspid
    where n.nspname = any ($1::text[])
    union all
    select
        'event trigger ' || quote_ident(t.evtname),
        'event_trigger',
        n.nspname,
        format('event trigger %I', t.evtname),
        quote_ident(t.evtname),
        null,
        format('create event trigger %I on %s', t.evtname, t.evtevent)
            || coalesce(' when tag in (' || (select string_agg(quote_literal(tag), ', ') from unnest(t.evttags) tag) || ')', '')
            || format(' execute function %I.%I()', n.nspname, f.proname)
            || case t.evtenabled
                when 'D' then format(E';\nalter event trigger %I disable', t.evtname)
                when 'A' then format(E';\nalter event trigger %I enable always', t.evtname)
                when 'R' then format(E';\nalter event trigger %I enable replica', t.evtname)
                else ''
            end,
        format('drop event trigger %I', t.evtname),
        pg_catalog.obj_description(t.oid, 'pg_event_trigger'), '[]', '', json_build_object('base', '')
    from pg_catalog.pg_event_trigger t
    join pg_catalog.pg_proc f on f.oid = t.evtfoid
    join pg_catalog.pg_namespace n on n.oid = f.pronamespace
    where n.nspname = any ($1::text[])
        and not exists (
            select from pg_catalog.pg_depend d where d.classid = 'pg_event_trigger'::regclass and d.objid = t.oid and d.deptype = 'e'
        )
    union all
    select
        'server ' || quote_ident(s.srvname),
        'server',
        '',
        format('server %I', s.srvname),
        quote_ident(s.srvname),
        null,
        format(
            'create server %I%s%s foreign data wrapper %I%s', s.srvname, ' type ' || quote_literal(s.srvtype),
            ' version ' || quote_literal(s.srvversion), w.fdwname,
            ' options (' || (select string_agg(format('%I %L', o.option_name, o.option_value), ', ') from pg_catalog.pg_options_to_table(s.srvoptions) o) || ')'
        ),
        format('drop server %I', s.srvname),
        pg_catalog.obj_description(s.oid, 'pg_foreign_server'),
        (
            select coalesce(json_agg(json_build_object(
                'grantee', coalesce((select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = x.grantee), 'public'),
                'privilege', lower(x.privilege_type),
                'grantable', x.is_grantable
            )), '[]')
            from pg_catalog.aclexplode(coalesce(s.srvacl, pg_catalog.acldefault('S', s.srvowner))) x
            where x.grantee <> s.srvowner
        ),
        pg_catalog.pg_get_userbyid(s.srvowner),
        json_build_object(
            'base', format('%s %s', s.srvtype, w.fdwname),
            'default', coalesce(s.srvversion, ''),
            'attributes', (
                select coalesce(json_agg(json_build_array(quote_ident(o.option_name), quote_literal(o.option_value))), '[]')
                from pg_catalog.pg_options_to_table(s.srvoptions) o
            )
        )
    from pg_catalog.pg_foreign_server s
    join pg_catalog.pg_foreign_data_wrapper w on w.oid = s.srvfdw
    where not exists (
        select from pg_catalog.pg_depend d where d.classid = 'pg_foreign_server'::regclass and d.objid = s.oid and d.deptype = 'e'
    )
) as found

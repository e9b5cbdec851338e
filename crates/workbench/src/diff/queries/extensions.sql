-- The extensions.
select coalesce(json_agg(found), '[]')::text
from (
    select
        'extension ' || quote_ident(e.extname) as key,
        'extension' as kind,
        n.nspname as schema,
        format('extension %I', e.extname) as phrase,
        format('create extension if not exists %I with schema %I', e.extname, n.nspname) as create,
        format('drop extension %I', e.extname) as drop
    from pg_catalog.pg_extension e
    join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname <> 'plpgsql'
) as found

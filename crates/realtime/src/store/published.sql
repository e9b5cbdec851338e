select class.oid
from pg_catalog.pg_publication_tables as published
join pg_catalog.pg_namespace as namespace on namespace.nspname = published.schemaname
join pg_catalog.pg_class as class on class.relnamespace = namespace.oid and class.relname = published.tablename
where published.pubname = 'supabase_realtime'
  and ($1 = '*' or published.schemaname = $1)
  and ($2 = '*' or published.tablename = $2)

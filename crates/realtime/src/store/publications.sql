select pubname::text
from pg_catalog.pg_publication
where pubname in ('supabase_realtime', 'supabase_realtime_messages_publication')

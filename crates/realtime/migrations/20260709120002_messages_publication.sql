-- covers: 20260709120002
--
-- Broadcasts from the database: realtime reads the rows of messages from the log of changes. The id is ours; upstream makes this
-- publication when it connects.
set local search_path = '';

do $publication$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication for table realtime.messages
      with (publish = 'insert', publish_via_partition_root = true);
  end if;
exception
  when insufficient_privilege then
    raise notice 'messages are not published: that needs the right to create in this database';
end
$publication$;

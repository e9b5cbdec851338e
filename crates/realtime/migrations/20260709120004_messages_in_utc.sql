-- covers: 20260709120004
--
-- Messages are found again by their time, and so are their partitions, in UTC.
--
-- DEVIATION: `realtime.messages.inserted_at` and `updated_at` default to the time in UTC; upstream's default is the local time of
-- the session.
set local search_path = '';

-- Partitions may belong to somebody else. Their own defaults are not used, and new ones have those of the table.
alter table only realtime.messages
  alter column inserted_at set default (pg_catalog.now() at time zone 'utc'),
  alter column updated_at set default (pg_catalog.now() at time zone 'utc');

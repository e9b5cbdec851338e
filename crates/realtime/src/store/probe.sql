insert into realtime.messages (id, topic, extension, inserted_at, updated_at)
values
  ($1, $3, 'broadcast', now() at time zone 'utc', now() at time zone 'utc'),
  ($2, $3, 'presence', now() at time zone 'utc', now() at time zone 'utc')

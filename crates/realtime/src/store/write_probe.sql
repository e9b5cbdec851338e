insert into realtime.messages (topic, extension, inserted_at, updated_at)
values ($1, $2, now() at time zone 'utc', now() at time zone 'utc')

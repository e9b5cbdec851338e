-- The ids of messages that were stored between two times, both given as seconds ago.
select id
from realtime.messages
where extension = 'broadcast'
  and private is not null
  and event is not null
  and inserted_at >= (now() at time zone 'utc') - pg_catalog.make_interval(secs => $1)
  and inserted_at < (now() at time zone 'utc') - pg_catalog.make_interval(secs => $2)
limit $3

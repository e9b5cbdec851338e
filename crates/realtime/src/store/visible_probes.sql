select id
from realtime.messages
where id in ($1, $2)
  and inserted_at >= now() at time zone 'utc'

select id, event, payload::text as payload, binary_payload
from realtime.messages
where topic = $1
  and private is true
  and extension = 'broadcast'
  and event is not null
  and inserted_at >= $2
order by inserted_at desc
limit $3

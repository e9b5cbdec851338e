-- Messages that were stored in the last seconds for some topics, but for those that are known, page by page.
select inserted_at, id, topic, private, event, payload::text as payload, binary_payload
from realtime.messages
where extension = 'broadcast'
  and private is not null
  and event is not null
  and inserted_at >= (now() at time zone 'utc') - pg_catalog.make_interval(secs => $1)
  and topic = any ($2::text[])
  and (inserted_at, id) > ($3::timestamp, $4::uuid)
  and id <> all ($6::uuid[])
order by inserted_at, id
limit $5

-- A refresh without a new row: changes or keeps the counter of signed tokens. Does nothing if the counter is no longer
-- $5.
-- $1 session, $2 user agent or null, $3 address, $4 now, $5 current counter or null, $6 new counter or null,
-- $7 list of audit log entries
with refreshed as (
  update auth.sessions s
  set refreshed_at = $4::timestamptz at time zone 'utc', user_agent = $2, ip = $3::text::inet, updated_at = $4,
    refresh_token_counter = $6
  where s.id = $1 and s.refresh_token_counter is not distinct from $5::bigint
  returning s.id
), recorded as (
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), entry.payload,
    $4::timestamptz + (entry.place - 1) * interval '1 microsecond', ''
  from refreshed, json_array_elements($7::json) with ordinality entry (payload, place)
)
select exists (select from refreshed) as done

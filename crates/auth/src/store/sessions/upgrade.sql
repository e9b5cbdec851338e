-- Replaces a stored token by a signed one, unless a concurrent request was faster.
-- $1 session, $2 id of the old token, $3 current counter or null, $4 new counter, $5 key, $6 now,
-- $7 user agent or null, $8 address, $9 list of audit log entries
with held as materialized (
  select id from auth.sessions where id = $1 and refresh_token_counter is not distinct from $3::bigint for update
), traded as (
  update auth.refresh_tokens t set revoked = true, updated_at = $6
  from held
  where t.id = $2 and t.session_id = held.id and t.revoked is not true
  returning t.id
), refreshed as (
  update auth.sessions s
  set refreshed_at = $6::timestamptz at time zone 'utc', user_agent = $7, ip = $8::text::inet, updated_at = $6,
    refresh_token_counter = $4, refresh_token_hmac_key = $5
  from traded
  where s.id = $1
), recorded as (
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), entry.payload,
    $6::timestamptz + (entry.place - 1) * interval '1 microsecond', ''
  from traded, json_array_elements($9::json) with ordinality entry (payload, place)
)
select exists (select from traded) as done

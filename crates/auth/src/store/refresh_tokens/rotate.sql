-- Replaces a token by its child, or does nothing if a concurrent request was faster. The session is locked first, in
-- the same order as its deletion, to prevent a deadlock. After waiting for a lock, PostgreSQL evaluates the conditions
-- again on the current rows.
-- $1 session, $2 id of the old token, $3 its text, $4 the new token, $5 user, $6 now, $7 user agent or null,
-- $8 address, $9 list of audit log entries
with held as materialized (
  select id from auth.sessions where id = $1 for update
), traded as (
  update auth.refresh_tokens t set revoked = true, updated_at = $6
  from held
  where t.id = $2 and t.session_id = held.id and t.revoked is not true
  returning t.id
), child as (
  insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)
  select '00000000-0000-0000-0000-000000000000', $4, $5::uuid::text, $1, false, $3, $6, $6
  from traded
), refreshed as (
  update auth.sessions s
  set refreshed_at = $6::timestamptz at time zone 'utc', user_agent = $7, ip = $8::text::inet, updated_at = $6
  from traded
  where s.id = $1
), touched as (
  update auth.users u set updated_at = $6
  from traded
  where u.id = $5
), recorded as (
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), entry.payload,
    $6::timestamptz + (entry.place - 1) * interval '1 microsecond', ''
  from traded, json_array_elements($9::json) with ordinality entry (payload, place)
)
select exists (select from traded) as done

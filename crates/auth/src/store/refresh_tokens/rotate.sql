-- The traded token is revoked (or stays so, from now on), its child is active.
-- $1 id of the traded token, $2 its text, $3 the new token, $4 user, $5 session, $6 now
with traded as (
  update auth.refresh_tokens set revoked = true, updated_at = $6 where id = $1
), child as (
  insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)
  values ('00000000-0000-0000-0000-000000000000', $3, $4::uuid::text, $5, false, $2, $6, $6)
)
update auth.users set updated_at = $6 where id = $4

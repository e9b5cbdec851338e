-- A sign-in: the session, its first refresh token, how the user proved who they are, and when.
-- $1 session, $2 user, $3 user agent or null, $4 address, $5 refresh token, $6 authentication method, $7 now
with session as (
  insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at)
  values ($1, $2, 'aal1', $3, $4::text::inet, $7, $7)
), token as (
  insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)
  values ('00000000-0000-0000-0000-000000000000', $5, $2::uuid::text, $1, false, null, $7, $7)
), claim as (
  insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), $1, $6, $7, $7)
)
update auth.users set last_sign_in_at = $7, updated_at = $7 where id = $2

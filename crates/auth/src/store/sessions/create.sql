-- A sign-in: the session, its first refresh token if that is a stored one, the authentication method and its time.
-- $1 session, $2 user, $3 user agent or null, $4 address, $5 stored refresh token or null, $6 authentication method,
-- $7 now, $8 end or null, $9 client or null, $10 its scopes or null, $11 second factor or null,
-- $12 key of signed tokens or null
with session as (
  insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at, not_after, oauth_client_id, scopes,
    factor_id, refresh_token_hmac_key, refresh_token_counter)
  values ($1, $2, 'aal1', $3, $4::text::inet, $7, $7, $8, $9, $10, $11, $12::text,
    case when $12::text is not null then 0 end)
), token as (
  insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)
  select '00000000-0000-0000-0000-000000000000', $5::text, $2::uuid::text, $1, false, null, $7::timestamptz, $7
  where $5::text is not null
), claim as (
  insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), $1, $6, $7, $7)
)
update auth.users set last_sign_in_at = $7, updated_at = $7 where id = $2

-- A verified second factor: its method and time, and a new refresh token in place of the previous ones. The counter of
-- signed tokens skips one, so that the previous token cannot be exchanged for the new one.
-- $1 session, $2 user, $3 authentication method, $4 factor, $5 stored refresh token or null, $6 now, $7 counter or null
with proof as (
  insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), $1, $3, $6, $6)
  on conflict on constraint mfa_amr_claims_session_id_authentication_method_pkey do update set updated_at = excluded.updated_at
), raised as (
  update auth.sessions
  set aal = 'aal2', factor_id = $4, updated_at = $6, refresh_token_counter = coalesce($7, refresh_token_counter)
  where id = $1
), revoked as (
  update auth.refresh_tokens set revoked = true, updated_at = $6
  where session_id = $1 and revoked is not true
  returning id, token
), child as (
  insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)
  select '00000000-0000-0000-0000-000000000000', $5::text, $2::uuid::text, $1, false,
    (select token from revoked order by id desc limit 1), $6, $6
  where $5::text is not null
)
update auth.users set updated_at = $6 where id = $2

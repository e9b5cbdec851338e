-- $1 id, $2 provider, $3 challenge, $4 its method, $5 code, $6 invite token, $7 final redirect,
-- $8 our flow with the provider, $9 user who links, $10 e-mail optional, $11 now, $12 authentication method
insert into auth.flow_state (
  id, provider_type, authentication_method, code_challenge, code_challenge_method, auth_code, invite_token, referrer,
  oauth_client_state_id, linking_target_id, email_optional, provider_access_token, provider_refresh_token, created_at,
  updated_at)
values ($1, $2, $12, $3, $4::text::auth.code_challenge_method, $5, $6, $7, $8, $9, $10, '', '', $11, $11)

-- $1 user, $2 provider, $3 authentication method, $4 challenge, $5 its method, $6 now
insert into auth.flow_state (
  id, user_id, provider_type, authentication_method, code_challenge, code_challenge_method, auth_code,
  provider_access_token, provider_refresh_token, created_at, updated_at)
select gen_random_uuid(), u.id, $2, $3, $4, $5::text::auth.code_challenge_method, gen_random_uuid()::text, '', '', $6, $6
from auth.users u
where u.id = $1

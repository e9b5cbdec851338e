-- $1 code
select f.id, f.user_id, f.provider_type, f.authentication_method, f.code_challenge,
  f.code_challenge_method::text as code_challenge_method, f.provider_access_token, f.provider_refresh_token, f.created_at,
  f.auth_code_issued_at
from auth.flow_state f
where f.auth_code = $1
limit 1

-- $1 id
select
  f.id, f.user_id, f.provider_type, f.code_challenge, f.auth_code, f.invite_token, f.referrer, f.oauth_client_state_id,
  f.linking_target_id, f.email_optional, f.created_at
from auth.flow_state f
where f.id = $1
for update

-- $1 id for the consent page
select id, authorization_id, client_id, user_id, redirect_uri, scope, state, resource, code_challenge,
  code_challenge_method::text as code_challenge_method, nonce, status::text as status, expires_at
from auth.oauth_authorizations
where authorization_id = $1
for update

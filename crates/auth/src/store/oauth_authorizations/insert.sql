-- Also deletes a few expired rows.
-- $1 id for the consent page, $2 client, $3 redirect URI, $4 scope, $5 state, $6 resource, $7 challenge, $8 its method,
-- $9 nonce, $10 now, $11 expiry, $12 delete rows that expired before this time
with forgotten as (
  delete from auth.oauth_authorizations
  where id in (select id from auth.oauth_authorizations where expires_at < $12 limit 20 for update skip locked)
)
insert into auth.oauth_authorizations (
  id, authorization_id, client_id, redirect_uri, scope, state, resource, code_challenge, code_challenge_method, nonce,
  response_type, status, created_at, expires_at)
values (
  gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8::text::auth.code_challenge_method, $9,
  'code', 'pending', $10, $11)

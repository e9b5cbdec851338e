-- $1 id, $2 hash of the secret or null, $3 registration type, $4 client type, $5 authentication method,
-- $6 redirect URIs and $7 grant types, separated by commas, $8 name, $9 URI and $10 logo URI or null, $11 now
insert into auth.oauth_clients (
  id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
  client_name, client_uri, logo_uri, created_at, updated_at)
values (
  $1, $2, $3::text::auth.oauth_registration_type, $4::text::auth.oauth_client_type, $5, $6, $7, $8, $9, $10, $11, $11)
returning id, client_secret_hash, registration_type::text as registration_type, client_type::text as client_type,
  token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at

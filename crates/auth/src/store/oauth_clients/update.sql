-- Null keeps a value, an empty string removes an optional value.
-- $1 id, $2 redirect URIs and $3 grant types, separated by commas, $4 name, $5 URI, $6 logo URI,
-- $7 authentication method, $8 now
update auth.oauth_clients
set redirect_uris = coalesce($2, redirect_uris), grant_types = coalesce($3, grant_types),
  client_name = nullif(coalesce($4, client_name), ''), client_uri = nullif(coalesce($5, client_uri), ''),
  logo_uri = nullif(coalesce($6, logo_uri), ''),
  token_endpoint_auth_method = coalesce($7, token_endpoint_auth_method), updated_at = $8
where id = $1 and deleted_at is null
returning id, client_secret_hash, registration_type::text as registration_type, client_type::text as client_type,
  token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at

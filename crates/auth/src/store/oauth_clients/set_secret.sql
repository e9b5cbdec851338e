-- $1 id, $2 hash, $3 now
update auth.oauth_clients set client_secret_hash = $2, updated_at = $3
where id = $1 and deleted_at is null
returning id, client_secret_hash, registration_type::text as registration_type, client_type::text as client_type,
  token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at

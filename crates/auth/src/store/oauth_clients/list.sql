select id, client_secret_hash, registration_type::text as registration_type, client_type::text as client_type,
  token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at
from auth.oauth_clients
where deleted_at is null
order by created_at desc, id

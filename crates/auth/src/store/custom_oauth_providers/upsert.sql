-- $1 id, $2 type, $3 identifier, $4 name, $5 client id, $6 client secret, $7 acceptable client ids, $8 scopes,
-- $9 PKCE enabled, $10 attribute mapping, $11 custom claims to keep, $12 authorization parameters, $13 enabled,
-- $14 e-mail optional, $15 issuer, $16 discovery URL, $17 skip nonce check, $18 discovery document, $19 its time,
-- $20 authorization URL, $21 token URL, $22 userinfo URL, $23 JWKS URI, $24 created, $25 updated
insert into auth.custom_oauth_providers (
  id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes, pkce_enabled,
  attribute_mapping, custom_claims_allowlist, authorization_params, enabled, email_optional, issuer, discovery_url,
  skip_nonce_check, cached_discovery, discovery_cached_at, authorization_url, token_url, userinfo_url, jwks_uri, created_at,
  updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
on conflict (id) do update set
  name = excluded.name, client_id = excluded.client_id, client_secret = excluded.client_secret,
  acceptable_client_ids = excluded.acceptable_client_ids, scopes = excluded.scopes, pkce_enabled = excluded.pkce_enabled,
  attribute_mapping = excluded.attribute_mapping, custom_claims_allowlist = excluded.custom_claims_allowlist,
  authorization_params = excluded.authorization_params, enabled = excluded.enabled,
  email_optional = excluded.email_optional, issuer = excluded.issuer, discovery_url = excluded.discovery_url,
  skip_nonce_check = excluded.skip_nonce_check, cached_discovery = excluded.cached_discovery,
  discovery_cached_at = excluded.discovery_cached_at, authorization_url = excluded.authorization_url,
  token_url = excluded.token_url, userinfo_url = excluded.userinfo_url, jwks_uri = excluded.jwks_uri,
  updated_at = excluded.updated_at

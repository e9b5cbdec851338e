-- $1 type, or null for all
select
  p.id, p.provider_type, p.identifier, p.name, p.client_id, p.client_secret, p.acceptable_client_ids, p.scopes,
  p.pkce_enabled, p.attribute_mapping, p.custom_claims_allowlist, p.authorization_params, p.enabled, p.email_optional,
  p.issuer, p.discovery_url, p.skip_nonce_check, p.cached_discovery, p.authorization_url, p.token_url, p.userinfo_url,
  p.jwks_uri, p.created_at, p.updated_at
from auth.custom_oauth_providers p
where $1::text is null or p.provider_type = $1
order by p.created_at desc, p.id

-- $1 provider, $2 metadata, $3 now
update auth.saml_providers set metadata_xml = $2, updated_at = $3 where sso_provider_id = $1

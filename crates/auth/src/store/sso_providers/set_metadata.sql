-- $1 provider, $2 metadata, $3 now, $4 its URL, unless an administrator has changed it meanwhile
update auth.saml_providers set metadata_xml = $2, updated_at = $3 where sso_provider_id = $1 and metadata_url = $4

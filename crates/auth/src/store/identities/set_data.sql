-- $1 provider, $2 the provider's name for the user, $3 data
update auth.identities set identity_data = $3 where provider = $1 and provider_id = $2

-- $1 provider, $2 the user's id at the provider
select id, user_id from auth.identities where provider = $1 and provider_id = $2

-- $1 provider, $2 the provider's name for the user
select id, user_id from auth.identities where provider = $1 and provider_id = $2

-- $1 id, $2 replacement for the user's id at the provider
update auth.identities
set identity_data = '{}', provider_id = $2
where id = $1

-- $1 id, $2 what stands in the place of the provider's name for the user
update auth.identities
set identity_data = '{}', provider_id = $2
where id = $1

-- $1 id, $2 the user's id at the provider, $3 user, $4 data, $5 provider, $6 now
insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select $1, $2, u.id, $4, $5, $6, $6, $6
from auth.users u
where u.id = $3

-- Identities whose address is verified by the provider or is the user's own.
-- $1 addresses in lower case
select i.provider, i.user_id
from auth.identities i
join auth.users u on u.id = i.user_id
where i.email = any ($1) and (i.identity_data -> 'email_verified' = 'true' or lower(u.email) = i.email)
order by i.created_at, i.id

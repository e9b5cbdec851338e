-- $1 addresses in lower case
select provider, user_id from auth.identities where email = any ($1) order by created_at, id

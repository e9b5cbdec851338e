-- $1 addresses in lower case
select id from auth.users where email = any ($1) and not is_sso_user order by created_at, id

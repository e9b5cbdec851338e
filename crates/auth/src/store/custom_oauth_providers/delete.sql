-- $1 id
delete from auth.custom_oauth_providers where id = $1

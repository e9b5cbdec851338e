-- $1 id
delete from auth.sso_providers where id = $1

-- $1 row, $2 user
update auth.oauth_authorizations set user_id = $2 where id = $1

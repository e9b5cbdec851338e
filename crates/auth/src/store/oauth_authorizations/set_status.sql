-- $1 row, $2 status
update auth.oauth_authorizations set status = $2::text::auth.oauth_authorization_status where id = $1

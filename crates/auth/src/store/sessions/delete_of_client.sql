-- $1 user, $2 OAuth client
delete from auth.sessions where user_id = $1 and oauth_client_id = $2

-- $1 session, $2 OAuth client
delete from auth.sessions where id = $1 and oauth_client_id = $2

-- $1 session, $2 OAuth client, $3 scopes
update auth.sessions set oauth_client_id = $2, scopes = $3 where id = $1

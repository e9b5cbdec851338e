-- $1 user, $2 client
select scopes from auth.oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null

-- $1 user, $2 client, $3 now
update auth.oauth_consents set revoked_at = greatest(granted_at, $3)
where user_id = $1 and client_id = $2 and revoked_at is null

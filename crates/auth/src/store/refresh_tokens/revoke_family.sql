-- $1 session, $2 now
update auth.refresh_tokens set revoked = true, updated_at = $2 where session_id = $1 and not revoked

-- A single statement, so that only one of several concurrent answers gets it.
-- $1 id, $2 user or null, $3 registration or authentication
delete from auth.webauthn_challenges
where id = $1 and user_id is not distinct from $2::uuid and challenge_type = $3
returning session_data, expires_at

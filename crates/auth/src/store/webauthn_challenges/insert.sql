-- $1 id, $2 user or null, $3 registration or authentication, $4 state, $5 now, $6 expiry
insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6)

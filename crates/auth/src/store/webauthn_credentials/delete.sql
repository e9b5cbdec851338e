-- $1 id, $2 user
delete from auth.webauthn_credentials where id = $1 and user_id = $2

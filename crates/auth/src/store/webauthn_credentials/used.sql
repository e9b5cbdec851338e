-- $1 id, $2 counter, $3 whether it is backed up, $4 now
update auth.webauthn_credentials
set sign_count = $2, backed_up = $3, last_used_at = $4, updated_at = $4
where id = $1

-- $1 id, $2 user, $3 name, $4 now
update auth.webauthn_credentials
set friendly_name = $3, updated_at = $4
where id = $1 and user_id = $2
returning id, credential_id, public_key, sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, last_used_at

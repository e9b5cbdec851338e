-- $1 user
select id, credential_id, public_key, sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, last_used_at
from auth.webauthn_credentials
where user_id = $1
order by created_at, id

-- $1 id, $2 user, $3 id of the credential, $4 public key, $5 attestation format, $6 AAGUID or null, $7 counter,
-- $8 transports, $9 whether it can be backed up, $10 whether it is backed up, $11 name, $12 now
insert into auth.webauthn_credentials
  (id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible, backed_up,
    friendly_name, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
on conflict (credential_id) do nothing

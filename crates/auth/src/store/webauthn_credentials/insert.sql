-- $1 id, $2 user, $3 id of the credential, $4 public key, $5 format of the attestation, $6 model of the authenticator or
-- null, $7 counter, $8 transports, $9 whether it may be copied to other devices, $10 whether it was, $11 name, $12 now
insert into auth.webauthn_credentials
  (id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible, backed_up,
    friendly_name, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
on conflict (credential_id) do nothing

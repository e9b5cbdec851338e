-- $1 id, $2 credential, $3 AAGUID or null, $4 challenge and response, $5 now
update auth.mfa_factors
set web_authn_credential = $2, web_authn_aaguid = $3, last_webauthn_challenge_data = $4, updated_at = $5
where id = $1

-- $1 id, $2 factor, $3 now, $4 address, $5 code or null, $6 state of a WebAuthn ceremony or null
with challenged as (
  update auth.mfa_factors set last_challenged_at = $3 where id = $2
)
insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
values ($1, $2, $3, $4::text::inet, $5, $6)

-- The account was never confirmed and may have been prepared by an attacker: removes every way into it.
-- $1 user, $2 now
with sessions as (delete from auth.sessions where user_id = $1),
factors as (delete from auth.mfa_factors where user_id = $1),
passkeys as (delete from auth.webauthn_credentials where user_id = $1),
tokens as (delete from auth.one_time_tokens where user_id = $1)
update auth.users
set encrypted_password = null, phone_change = '', phone_change_token = '', email_change = '', email_change_token_current = '',
  email_change_token_new = '', email_change_confirm_status = 0, recovery_token = '', reauthentication_token = '', updated_at = $2
where id = $1

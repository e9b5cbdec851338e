-- $1 id, $2 to $5 placeholders for address, number, new address and new number, $6 now
with
  tokens as (delete from auth.one_time_tokens where user_id = $1),
  factors as (delete from auth.mfa_factors where user_id = $1),
  credentials as (delete from auth.webauthn_credentials where user_id = $1)
update auth.users
set email = $2, phone = $3, email_change = $4, phone_change = $5, encrypted_password = null, confirmation_token = '',
  recovery_token = '', email_change_token_current = '', email_change_token_new = '', phone_change_token = '',
  raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = $6, updated_at = $6
where id = $1

-- A new password revokes everything that was requested under the old one.
-- $1 id, $2 hash or null, $3 now
update auth.users
set encrypted_password = $2, confirmation_token = '', confirmation_sent_at = null, recovery_token = '',
  recovery_sent_at = null, email_change_token_current = '', email_change_token_new = '', email_change_sent_at = null,
  phone_change_token = '', phone_change_sent_at = null, reauthentication_token = '', reauthentication_sent_at = null,
  updated_at = $3
where id = $1

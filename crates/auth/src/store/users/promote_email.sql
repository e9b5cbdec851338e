-- Codes that were requested under the old address become invalid.
-- $1 user, $2 address or null, $3 whether it stays confirmed, $4 user metadata, $5 now
with gone as (delete from auth.one_time_tokens where user_id = $1)
update auth.users
set email = $2, email_confirmed_at = case when $3 then email_confirmed_at end, raw_user_meta_data = $4,
  confirmation_token = '', confirmation_sent_at = null, recovery_token = '', recovery_sent_at = null, email_change = '',
  email_change_token_current = '', email_change_token_new = '', email_change_sent_at = null,
  email_change_confirm_status = 0, phone_change = '', phone_change_token = '', phone_change_sent_at = null,
  reauthentication_token = '', reauthentication_sent_at = null, updated_at = $5
where id = $1

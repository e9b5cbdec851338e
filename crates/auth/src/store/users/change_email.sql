-- Applies a confirmed change of the address.
-- $1 id, $2 address, $3 user metadata, $4 now
update auth.users
set email = $2, email_change = '', email_change_token_current = '', email_change_token_new = '',
  email_change_confirm_status = 0, is_anonymous = false, confirmation_token = '',
  email_confirmed_at = coalesce(email_confirmed_at, $4), raw_user_meta_data = $3, updated_at = $4
where id = $1

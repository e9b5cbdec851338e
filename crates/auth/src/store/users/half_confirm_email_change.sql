-- One of the two addresses is confirmed: marks its token as used.
-- $1 id, $2 stored hash, $3 now
update auth.users
set email_change_confirm_status = 1, updated_at = $3,
  email_change_token_current = case when email_change_token_current = $2 then '' else email_change_token_current end,
  email_change_token_new = case when email_change_token_new = $2 then '' else email_change_token_new end
where id = $1

-- $1 id, $2 new address, $3 token for it, $4 token for the current address or '', $5 now
update auth.users
set email_change = $2, email_change_token_new = $3, email_change_token_current = $4, email_change_sent_at = $5,
  email_change_confirm_status = 0, updated_at = $5
where id = $1

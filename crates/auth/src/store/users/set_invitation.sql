-- $1 id, $2 token, $3 now
update auth.users
set confirmation_token = $2, confirmation_sent_at = $3, invited_at = $3, updated_at = $3
where id = $1

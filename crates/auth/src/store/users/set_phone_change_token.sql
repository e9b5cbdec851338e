-- $1 id, $2 token, $3 now, $4 new number
update auth.users
set phone_change = $4, phone_change_token = $2, phone_change_sent_at = $3, updated_at = $3
where id = $1

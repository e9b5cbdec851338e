-- $1 id, $2 token, $3 now
update auth.users
set recovery_token = $2, recovery_sent_at = $3, updated_at = $3
where id = $1

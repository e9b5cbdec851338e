-- $1 id, $2 token, $3 now
update auth.users
set reauthentication_token = $2, reauthentication_sent_at = $3, updated_at = $3
where id = $1

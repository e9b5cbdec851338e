-- $1 id, $2 now
update auth.users
set recovery_token = '', updated_at = $2
where id = $1

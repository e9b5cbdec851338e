-- $1 user, $2 now
update auth.users set is_anonymous = false, updated_at = $2 where id = $1

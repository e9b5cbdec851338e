-- $1 user, $2 now
update auth.users set phone = null, phone_confirmed_at = null, updated_at = $2 where id = $1

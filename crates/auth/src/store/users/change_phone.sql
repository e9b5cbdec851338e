-- $1 id, $2 number, $3 now
update auth.users
set phone = $2, phone_change = '', phone_change_token = '', phone_confirmed_at = $3, is_anonymous = false,
  updated_at = $3
where id = $1

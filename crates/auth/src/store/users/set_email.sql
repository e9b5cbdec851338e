-- $1 id, $2 address, $3 whether it is confirmed, $4 now
update auth.users
set email = $2, is_anonymous = is_anonymous and not $3, updated_at = $4
where id = $1

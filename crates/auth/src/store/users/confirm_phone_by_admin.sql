-- $1 id, $2 now
with tokens as (delete from auth.one_time_tokens where user_id = $1)
update auth.users
set confirmation_token = '', phone_confirmed_at = $2, updated_at = $2
where id = $1

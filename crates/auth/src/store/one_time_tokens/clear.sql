-- $1 user
delete from auth.one_time_tokens where user_id = $1

-- $1 user, $2 hash
delete from auth.one_time_tokens where user_id = $1 and token_hash = $2

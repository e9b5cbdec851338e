-- $1 user
delete from auth.sessions where user_id = $1

-- $1 user, $2 the session to keep
delete from auth.sessions where user_id = $1 and id <> $2

-- $1 session
delete from auth.sessions where id = $1

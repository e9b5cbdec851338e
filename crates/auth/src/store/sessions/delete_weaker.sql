-- $1 user, $2 the session to keep
delete from auth.sessions where user_id = $1 and coalesce(aal, 'aal1') < 'aal2' and id <> $2

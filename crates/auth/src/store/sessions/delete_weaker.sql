-- $1 user, $2 the session that stays
delete from auth.sessions where user_id = $1 and aal < 'aal2' and id <> $2

-- $1 user, $2 the identity to keep
delete from auth.identities where user_id = $1 and id <> $2

-- $1 identity
delete from auth.identities where id = $1

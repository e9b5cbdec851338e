-- $1 id
delete from auth.refresh_tokens where id = $1

-- $1 id
delete from auth.mfa_factors where id = $1

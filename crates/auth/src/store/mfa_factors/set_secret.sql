-- $1 id, $2 secret
update auth.mfa_factors set secret = $2 where id = $1

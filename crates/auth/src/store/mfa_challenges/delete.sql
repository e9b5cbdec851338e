-- $1 id
delete from auth.mfa_challenges where id = $1

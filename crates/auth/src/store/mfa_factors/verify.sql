-- $1 id, $2 now
update auth.mfa_factors set status = 'verified', updated_at = $2 where id = $1 and status <> 'verified'

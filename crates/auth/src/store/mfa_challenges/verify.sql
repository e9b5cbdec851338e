-- $1 id, $2 now
update auth.mfa_challenges set verified_at = $2 where id = $1 and verified_at is null

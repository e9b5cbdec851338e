-- $1 id, $2 now, $3 the value that replaces its code, or null
update auth.mfa_challenges set verified_at = $2, otp_code = coalesce($3, otp_code) where id = $1 and verified_at is null

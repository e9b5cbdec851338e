-- $1 id, $2 the last challenge so far or null, $3 the last challenge from now on or null
update auth.mfa_factors set last_challenged_at = $3
where id = $1 and last_challenged_at is not distinct from $2::timestamptz

-- $1 id, $2 time of the previous challenge or null, $3 time of the new challenge or null
update auth.mfa_factors set last_challenged_at = $3
where id = $1 and last_challenged_at is not distinct from $2::timestamptz

-- $1 user, $2 kind
delete from auth.mfa_factors
where user_id = $1 and status = 'unverified' and factor_type = $2::text::auth.factor_type

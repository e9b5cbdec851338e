-- $1 user, $2 phone number
delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type = 'phone' and phone = $2

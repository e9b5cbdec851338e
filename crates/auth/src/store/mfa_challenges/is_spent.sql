-- $1 factor, $2 code
select 1 from auth.mfa_challenges where factor_id = $1 and otp_code = $2 and verified_at is not null limit 1

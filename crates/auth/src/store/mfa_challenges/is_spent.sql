-- $1 factor, $2 prefix of what is stored for a spent step, $3 step: a later one counts, too
select 1 from auth.mfa_challenges
where factor_id = $1 and verified_at is not null
  and case when otp_code ~ ('^' || $2 || '[0-9]{1,18}$') then substr(otp_code, length($2) + 1)::bigint >= $3 else false end
limit 1

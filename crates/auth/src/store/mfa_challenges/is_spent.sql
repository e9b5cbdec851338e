-- $1 factor, $2 prefix of used time steps, $3 time step; a later one matches, too
select 1 from auth.mfa_challenges
where factor_id = $1 and verified_at is not null
  and case when otp_code ~ ('^' || $2 || '[0-9]{1,18}$') then substr(otp_code, length($2) + 1)::bigint >= $3 else false end
limit 1

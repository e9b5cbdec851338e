-- $1 id, $2 factor
select c.id, c.created_at, c.verified_at, host(c.ip_address) as ip, c.otp_code, c.web_authn_session_data, f.secret
from auth.mfa_challenges c
join auth.mfa_factors f on f.id = c.factor_id
where c.id = $1 and c.factor_id = $2

-- $1 user
select id, web_authn_credential
from auth.mfa_factors
where user_id = $1 and factor_type = 'webauthn' and status = 'verified' and web_authn_credential is not null
order by created_at, id

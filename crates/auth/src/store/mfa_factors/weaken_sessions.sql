-- $1 factor, $2 authentication method, $3 now
with weakened as (
  update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $3 where factor_id = $1 returning id
)
delete from auth.mfa_amr_claims where session_id in (select id from weakened) and authentication_method = $2

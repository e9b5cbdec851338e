-- Excludes used assertions, which are in the same table.
-- $1 id
select r.id, r.sso_provider_id, r.request_id, r.redirect_to, r.flow_state_id, r.created_at
from auth.saml_relay_states r
where r.id = $1 and r.request_id not like 'used %'

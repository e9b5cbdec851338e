-- $1 id, $2 provider, $3 id of the request, $4 final redirect, $5 flow or null, $6 now
insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $6)

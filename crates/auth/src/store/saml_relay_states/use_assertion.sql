-- $1 an id derived from provider and assertion, $2 provider, $3 assertion, $4 now
insert into auth.saml_relay_states (id, sso_provider_id, request_id, created_at, updated_at)
values ($1, $2, 'used ' || $3::text, $4, $4)
on conflict (id) do nothing

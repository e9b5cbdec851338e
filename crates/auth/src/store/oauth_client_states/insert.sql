-- $1 id, $2 provider, $3 verifier, $4 now
insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($1, $2, $3, $4)

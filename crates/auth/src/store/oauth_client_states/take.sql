-- $1 id
delete from auth.oauth_client_states where id = $1 returning provider_type, code_verifier, created_at

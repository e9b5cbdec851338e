-- $1 id, $2 user, $3 the provider's access token, $4 its refresh token, $5 now
update auth.flow_state
set user_id = $2, provider_access_token = $3, provider_refresh_token = $4, auth_code_issued_at = $5, updated_at = $5
where id = $1

-- $1 user, $2 network; sessions of third-party clients do not show where the user is
select exists (
  select from auth.sessions
  where user_id = $1 and ip <<= $2::text::inet and oauth_client_id is null
)

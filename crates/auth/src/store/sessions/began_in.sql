-- $1 user, $2 network; a third-party client's session says nothing of where its user is
select exists (
  select from auth.sessions
  where user_id = $1 and ip <<= $2::text::inet and oauth_client_id is null
)

-- $1 user, $2 the session to exclude
select s.id as session_id, s.created_at as session_created_at, s.not_after, s.aal::text as aal,
  s.refreshed_at at time zone 'utc' as refreshed_at, s.tag, s.oauth_client_id, s.scopes, '[]'::json as amr
from auth.sessions s
where s.user_id = $1 and s.id <> $2

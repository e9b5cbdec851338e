-- The session stays without a valid token; services that hold its connections are notified that it has ended.
-- $1 session, $2 now
with revoked as (
  update auth.refresh_tokens set revoked = true, updated_at = $2
  where session_id = $1 and not revoked
  returning id
)
select pg_notify('auth_session_ended', json_build_object('session_id', s.id, 'user_id', s.user_id)::text)
from auth.sessions s
where s.id = $1 and exists (select from revoked)

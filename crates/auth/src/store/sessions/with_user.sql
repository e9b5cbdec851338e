-- A session with its user, for a signed refresh token.
-- $1 session
from auth.sessions s
join auth.users u on u.instance_id = '00000000-0000-0000-0000-000000000000' and u.id = s.user_id
where s.id = $1

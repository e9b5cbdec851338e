-- The user and the session of a token, in one round trip for GET /user.
-- $1 id of the user, $2 id of the session or null
from auth.users u
left join auth.sessions s on s.id = $2
where u.instance_id = '00000000-0000-0000-0000-000000000000' and u.id = $1

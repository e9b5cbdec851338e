-- A refresh token with its session, its user, and the session's active and newest tokens.
-- $1 token
from auth.refresh_tokens t
join auth.users u on u.instance_id = '00000000-0000-0000-0000-000000000000' and u.id = t.user_id::uuid
left join auth.sessions s on s.id = t.session_id
left join lateral (
  select c.token, c.parent from auth.refresh_tokens c
  where c.session_id = t.session_id and c.revoked is false
  order by c.id desc
  limit 1
) active on true
where t.token = $1

-- Whoever refreshes a session waits for whoever refreshes it already. A session is locked before its tokens, as its
-- deletion does.
-- $1 refresh token
select s.id
from auth.refresh_tokens t
join auth.sessions s on s.id = t.session_id
where t.token = $1
for update of s

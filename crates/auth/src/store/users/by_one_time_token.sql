-- The user of a token. Of two concurrent requests with one token the second waits and then finds nothing.
-- $1 possible hashes, $2 possible kinds, preferred first
from auth.users u
join auth.one_time_tokens t on t.user_id = u.id
where u.instance_id = '00000000-0000-0000-0000-000000000000'
  and t.token_hash = any ($1) and t.token_type::text = any ($2)
order by array_position($2, t.token_type::text)
limit 1
for update of u, t

-- A user has at most one token of each kind.
-- $1 user, $2 kind, $3 hash, $4 the address or number it was made for, $5 now
insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
select gen_random_uuid(), u.id, $2::text::auth.one_time_token_type, $3, lower($4),
  $5::timestamptz at time zone 'utc', $5::timestamptz at time zone 'utc'
from auth.users u
where u.id = $1
on conflict (user_id, token_type) do update
set id = excluded.id, token_hash = excluded.token_hash, relates_to = excluded.relates_to,
  created_at = excluded.created_at, updated_at = excluded.updated_at

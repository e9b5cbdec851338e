-- $1 id, $2 now
with tokens as (delete from auth.one_time_tokens where user_id = $1)
update auth.users
set confirmation_token = '', email_confirmed_at = $2, updated_at = $2,
  raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
where id = $1

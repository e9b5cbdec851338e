-- $1 now
delete from auth.oauth_client_states
where id in (
  select t.id from auth.oauth_client_states t
  where t.created_at < $1::timestamptz - interval '24 hours'
  limit 100 for update skip locked)

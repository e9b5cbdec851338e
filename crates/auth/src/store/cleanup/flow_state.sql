-- $1 now
delete from auth.flow_state
where id in (
  select t.id from auth.flow_state t
  where t.created_at < $1::timestamptz - interval '24 hours'
  limit 100 for update skip locked)

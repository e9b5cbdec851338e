-- $1 now
delete from auth.refresh_tokens
where id in (
  select r.id from auth.refresh_tokens r
  where r.revoked and r.updated_at < $1::timestamptz - interval '24 hours'
  limit 100 for update skip locked)

-- $1 now
delete from auth.mfa_challenges
where id in (
  select t.id from auth.mfa_challenges t
  where t.created_at < $1::timestamptz - interval '24 hours'
  limit 100 for update skip locked)

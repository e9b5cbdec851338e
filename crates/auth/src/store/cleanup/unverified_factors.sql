-- $1 now
delete from auth.mfa_factors
where id in (
  select f.id from auth.mfa_factors f
  where f.created_at < $1::timestamptz - interval '24 hours' and f.status = 'unverified'
  limit 100 for update skip locked)

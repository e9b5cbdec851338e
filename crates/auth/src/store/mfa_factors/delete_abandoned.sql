-- Skips rows that a concurrent request deletes.
-- $1 the time before which they were enrolled
delete from auth.mfa_factors
where id in (
  select f.id
  from auth.mfa_factors f
  where f.status <> 'verified' and f.created_at < $1
    and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)
  for update skip locked
)

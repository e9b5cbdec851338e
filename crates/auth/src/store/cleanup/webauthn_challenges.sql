-- $1 now
delete from auth.webauthn_challenges
where id in (
  select c.id from auth.webauthn_challenges c
  where c.expires_at < $1
  limit 100 for update skip locked)

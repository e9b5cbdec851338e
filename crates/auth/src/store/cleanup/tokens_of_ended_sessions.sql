-- The tokens of ended sessions are revoked first, and then deleted in batches like other revoked tokens.
-- $1 now
update auth.refresh_tokens
set revoked = true, updated_at = $1
where id in (
  select r.id from auth.refresh_tokens r join auth.sessions s on s.id = r.session_id
  where s.not_after < $1::timestamptz - interval '24 hours' and not r.revoked
  limit 100 for update of r skip locked)

-- Later than their tokens, and in small batches, because the rest of their tokens is deleted with them.
-- $1 now
delete from auth.sessions
where id in (
  select s.id from auth.sessions s
  where s.not_after < $1::timestamptz - interval '72 hours'
  limit 10 for update skip locked)

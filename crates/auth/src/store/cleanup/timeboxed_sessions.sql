-- $1 now, $2 maximum age of a session, in seconds
delete from auth.sessions
where id in (
  select s.id from auth.sessions s
  where s.created_at < $1::timestamptz - interval '24 hours' - make_interval(secs => $2::double precision)
  limit 100 for update skip locked)

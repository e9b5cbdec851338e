-- $1 now, $2 maximum time since the last refresh, in seconds
delete from auth.sessions
where id in (
  select s.id from auth.sessions s
  where s.refreshed_at at time zone 'utc'
    < $1::timestamptz - interval '24 hours' - make_interval(secs => $2::double precision)
  limit 100 for update skip locked)

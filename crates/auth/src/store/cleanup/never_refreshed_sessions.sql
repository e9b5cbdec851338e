-- $1 now, $2 maximum time since the last refresh, in seconds
delete from auth.sessions
where id in (
  select s.id from auth.sessions s join auth.refresh_tokens r on r.session_id = s.id
  where s.refreshed_at is null and not r.revoked
    and r.updated_at < $1::timestamptz - interval '24 hours' - make_interval(secs => $2::double precision)
  limit 100 for update of s skip locked)

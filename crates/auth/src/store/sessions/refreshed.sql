-- $1 session, $2 user agent or null, $3 address, $4 now
update auth.sessions
set refreshed_at = $4::timestamptz at time zone 'utc', user_agent = $2, ip = $3::text::inet, updated_at = $4
where id = $1

-- $1 now
delete from auth.users
where id in (
  select u.id from auth.users u
  where u.created_at < $1::timestamptz - interval '30 days' and u.is_anonymous
  limit 100 for update skip locked)

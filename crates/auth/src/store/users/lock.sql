-- $1 id
select u.id from auth.users u where u.id = $1 for update

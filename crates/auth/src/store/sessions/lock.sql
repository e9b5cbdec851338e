-- Blocks refreshes and deletion of the session until the transaction ends.
-- $1 session
select id from auth.sessions where id = $1 for update

-- Until the transaction ends nobody refreshes the session or takes it away.
-- $1 session
select id from auth.sessions where id = $1 for update

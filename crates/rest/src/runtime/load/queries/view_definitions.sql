-- The stored queries of views ($1).
select ev_class, ev_action::text from pg_rewrite where ev_class = any($1) and rulename = '_RETURN'

-- Issues the code of the user's latest flow of this kind.
-- $1 user, $2 authentication method, $3 now
update auth.flow_state f
set auth_code_issued_at = $3, updated_at = $3
where f.id = (
  select l.id from auth.flow_state l
  where l.user_id = $1 and l.authentication_method = $2
  order by l.created_at desc
  limit 1)
returning f.auth_code

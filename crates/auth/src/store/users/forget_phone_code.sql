-- Removes a code that could not be sent, as if it had never been requested.
-- $1 id, $2 token
update auth.users
set confirmation_sent_at = case when confirmation_token = $2 then null else confirmation_sent_at end,
  confirmation_token = case when confirmation_token = $2 then '' else confirmation_token end,
  phone_change_sent_at = case when phone_change_token = $2 then null else phone_change_sent_at end,
  phone_change_token = case when phone_change_token = $2 then '' else phone_change_token end,
  reauthentication_sent_at = case when reauthentication_token = $2 then null else reauthentication_sent_at end,
  reauthentication_token = case when reauthentication_token = $2 then '' else reauthentication_token end
where id = $1

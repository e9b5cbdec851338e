-- Somebody has proved that they are the user: the other codes on their way to the user are no longer good. Only a pending change of
-- the phone number stays, whose code is for a number that nobody has proved yet.
-- $1 user
with gone as (delete from auth.one_time_tokens where user_id = $1 and token_type <> 'phone_change_token')
update auth.users
set confirmation_token = '', recovery_token = '', email_change_token_current = '', email_change_token_new = '',
  reauthentication_token = ''
where id = $1

-- $1 user
with gone as (delete from auth.one_time_tokens where user_id = $1)
update auth.users
set confirmation_token = '', recovery_token = '', email_change_token_current = '', email_change_token_new = '',
  phone_change_token = '', reauthentication_token = ''
where id = $1

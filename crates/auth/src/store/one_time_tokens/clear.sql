-- The user has proved an address, so other pending codes become invalid. Only that of a pending phone change stays,
-- because its number is still unconfirmed.
-- $1 user
with gone as (delete from auth.one_time_tokens where user_id = $1 and token_type <> 'phone_change_token')
update auth.users
set confirmation_token = '', recovery_token = '', email_change_token_current = '', email_change_token_new = '',
  reauthentication_token = ''
where id = $1

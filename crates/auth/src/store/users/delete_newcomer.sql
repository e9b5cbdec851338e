-- Deletes a user who was just created and whose first code could not be sent.
-- $1 id, $2 token
delete from auth.users
where id = $1 and confirmation_token = $2 and created_at = confirmation_sent_at
  and email_confirmed_at is null and phone_confirmed_at is null and last_sign_in_at is null

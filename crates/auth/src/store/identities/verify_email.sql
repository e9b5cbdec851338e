-- $1 user, $2 address
update auth.identities
set identity_data = identity_data || '{"email_verified": true}'
where user_id = $1 and email = lower($2)

-- $1 identity, $2 data, $3 now
update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1

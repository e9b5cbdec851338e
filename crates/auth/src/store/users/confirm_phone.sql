-- $1 id, $2 app metadata, $3 user metadata, $4 now
update auth.users
set confirmation_token = '', phone_confirmed_at = $4, raw_app_meta_data = $2, raw_user_meta_data = $3,
  is_anonymous = false, updated_at = $4
where id = $1
returning confirmed_at

-- $1 id, $2 audience, $3 role, $4 e-mail or null, $5 app metadata, $6 user metadata, $7 may share the address, $8 now
insert into auth.users (
  instance_id, id, aud, role, email, raw_app_meta_data, raw_user_meta_data, is_sso_user, is_anonymous, created_at,
  updated_at, confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current,
  email_change_confirm_status, phone_change, phone_change_token, reauthentication_token)
values (
  '00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, false, $8, $8, '', '', '', '', '', 0, '', '', '')

-- $1 id, $2 audience, $3 role, $4 e-mail or null, $5 phone or null, $6 hash or '', $7 app metadata, $8 user metadata,
-- $9 is anonymous, $10 now,
-- $11 whether to write the row: a sign-up with a taken address runs the same statement without it
insert into auth.users (
  instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data, is_anonymous,
  is_sso_user, created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new,
  email_change_token_current, email_change_confirm_status, phone_change, phone_change_token, reauthentication_token)
select
  '00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, $8, $9,
  false, $10, $10, '', '', '', '', '', 0, '', '', ''
where $11

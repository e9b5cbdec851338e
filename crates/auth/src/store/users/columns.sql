-- The columns of a user, which every query on users selects.
  u.id, u.aud, u.role, u.email, u.phone, u.is_sso_user, u.is_anonymous, u.encrypted_password, u.email_confirmed_at,
  u.phone_confirmed_at, u.confirmed_at, u.invited_at, u.confirmation_sent_at, u.recovery_sent_at, u.email_change,
  u.email_change_sent_at, u.phone_change, u.phone_change_sent_at, u.reauthentication_token,
  u.confirmation_token, u.recovery_token, u.email_change_token_current, u.email_change_token_new,
  u.email_change_confirm_status, u.phone_change_token, u.reauthentication_sent_at, u.last_sign_in_at, u.raw_app_meta_data,
  u.raw_user_meta_data, u.created_at, u.updated_at, u.banned_until, u.deleted_at

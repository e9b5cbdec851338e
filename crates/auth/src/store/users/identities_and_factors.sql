-- The identities and factors of a user, further columns of users/columns.sql.
  (
    select coalesce(json_agg(json_build_object(
      'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
      'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
      'updated_at', i.updated_at, 'email', i.email) order by i.created_at, i.id), '[]')
    from auth.identities i where i.user_id = u.id
  ) as identities,
  (
    select coalesce(json_agg(json_build_object(
      'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
      'friendly_name', coalesce(f.friendly_name, ''), 'factor_type', f.factor_type, 'phone', coalesce(f.phone, ''),
      'last_challenged_at', f.last_challenged_at, 'web_authn_aaguid', f.web_authn_aaguid,
      'last_webauthn_challenge_data', f.last_webauthn_challenge_data) order by f.created_at, f.id), '[]')
    from auth.mfa_factors f where f.user_id = u.id
  ) as factors

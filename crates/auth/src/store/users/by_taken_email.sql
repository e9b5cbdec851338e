-- The user who already has an address within the default linking domain, by an identity or in the users table.
-- $1 address in lower case, $2 audience, $3 the requesting user, whose identities are ignored, or null,
-- $4 providers with a linking domain of their own (SSO providers always have one)
select
  u.id, u.aud, u.role, u.email, u.phone, u.is_sso_user, u.is_anonymous, u.encrypted_password, u.email_confirmed_at,
  u.phone_confirmed_at, u.confirmed_at, u.invited_at, u.confirmation_sent_at, u.recovery_sent_at, u.email_change,
  u.email_change_sent_at, u.phone_change, u.phone_change_sent_at, u.reauthentication_token,
  u.confirmation_token, u.recovery_token, u.email_change_token_current, u.email_change_token_new,
  u.email_change_confirm_status, u.phone_change_token, u.reauthentication_sent_at, u.last_sign_in_at, u.raw_app_meta_data,
  u.raw_user_meta_data, u.created_at, u.updated_at, u.banned_until, u.deleted_at,
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
from auth.users u
where u.instance_id = '00000000-0000-0000-0000-000000000000' and u.aud = $2 and (
  u.id in (
    select i.user_id from auth.identities i
    where i.email = $1 and i.provider not like 'sso:%' and i.provider <> all ($4)
      and i.user_id is distinct from $3)
  or lower(u.email) = $1 and not u.is_sso_user)
order by u.created_at
limit 1

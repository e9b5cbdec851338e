-- $1 user
select coalesce(json_agg(json_build_object(
  'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
  'friendly_name', coalesce(f.friendly_name, ''), 'factor_type', f.factor_type, 'phone', coalesce(f.phone, ''),
  'last_challenged_at', f.last_challenged_at, 'web_authn_aaguid', f.web_authn_aaguid,
  'last_webauthn_challenge_data', f.last_webauthn_challenge_data) order by f.created_at, f.id), '[]') as factors
from auth.mfa_factors f
where f.user_id = $1

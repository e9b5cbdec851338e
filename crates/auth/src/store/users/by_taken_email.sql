-- The user who already has an address within the default linking domain, by an identity or in the users table.
-- $1 address in lower case, $2 audience, $3 the requesting user, whose identities are ignored, or null,
-- $4 providers with a linking domain of their own (SSO providers always have one)
from auth.users u
where u.instance_id = '00000000-0000-0000-0000-000000000000' and u.aud = $2 and (
  u.id in (
    select i.user_id from auth.identities i
    where i.email = $1 and i.provider not like 'sso:%' and i.provider <> all ($4)
      and i.user_id is distinct from $3)
  or lower(u.email) = $1 and not u.is_sso_user)
order by u.created_at
limit 1

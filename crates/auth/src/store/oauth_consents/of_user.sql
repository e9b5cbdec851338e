-- $1 user
select c.id as client_id, c.client_name, c.client_uri, c.logo_uri, g.scopes, g.granted_at
from auth.oauth_consents g
join auth.oauth_clients c on c.id = g.client_id and c.deleted_at is null
where g.user_id = $1 and g.revoked_at is null
order by g.granted_at desc

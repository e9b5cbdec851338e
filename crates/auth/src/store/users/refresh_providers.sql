-- $1 id, $2 now
update auth.users u
set raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || jsonb_build_object(
    'provider', (known.providers)[1], 'providers', to_jsonb(known.providers)),
  updated_at = $2
from (
  select array_agg(i.provider order by i.first_at, i.provider) as providers
  from (select provider, min(created_at) as first_at from auth.identities where user_id = $1 group by provider) i
) known
where u.id = $1 and known.providers is not null

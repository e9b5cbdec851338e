-- $1 id, $2 resource id or null, $3 disabled or null, $4 metadata, $5 its URL or null, $6 attribute mapping,
-- $7 name id format or null, $8 when the metadata was set, $9 domains, $10 now
with provider as (
  update auth.sso_providers set resource_id = $2, disabled = $3, updated_at = $10 where id = $1
), saml as (
  update auth.saml_providers
  set metadata_xml = $4, metadata_url = $5, attribute_mapping = $6, name_id_format = $7, updated_at = $8
  where sso_provider_id = $1
), gone as (
  delete from auth.sso_domains where sso_provider_id = $1 and domain <> all ($9::text[])
)
insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
select gen_random_uuid(), $1, name, $10::timestamptz + place * interval '1 microsecond', $10
from unnest($9::text[]) with ordinality as domains (name, place)
where name not in (select d.domain from auth.sso_domains d where d.sso_provider_id = $1)

-- Each domain gets a timestamp one microsecond later than the one before, which keeps their order.
-- $1 id, $2 resource id or null, $3 disabled or null, $4 entity id, $5 metadata, $6 its URL or null,
-- $7 attribute mapping, $8 name id format or null, $9 domains, $10 now
with provider as (
  insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at) values ($1, $2, $3, $10, $10)
), saml as (
  insert into auth.saml_providers (
    id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at, updated_at)
  values (gen_random_uuid(), $1, $4, $5, $6, $7, $8, $10, $10)
)
insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
select gen_random_uuid(), $1, name, $10::timestamptz + place * interval '1 microsecond', $10
from unnest($9::text[]) with ordinality as domains (name, place)

-- Identity providers with their domains. A condition follows.
select
  p.id, p.resource_id, p.disabled, p.created_at, p.updated_at,
  coalesce(s.entity_id, '') as entity_id, coalesce(s.metadata_xml, '') as metadata_xml, s.metadata_url, s.attribute_mapping,
  s.name_id_format, s.updated_at as saml_updated_at,
  array(
    select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.created_at, d.domain
  ) as domains
from auth.sso_providers p
left join auth.saml_providers s on s.sso_provider_id = p.id

select
  class.oid,
  class.relrowsecurity as has_row_security,
  attribute.attname::text as name,
  type.typname::text as type_name,
  pg_catalog.quote_ident(namespace.nspname) || '.' || pg_catalog.quote_ident(type.typname) as type_sql,
  pg_catalog.format_type(attribute.atttypid, null) as type_shown,
  coalesce(base.typcategory, type.typcategory)::text as category,
  coalesce(attribute.attnum = any (key.conkey), false) as is_key,
  array(
    select role.rolname::text
    from pg_catalog.pg_roles as role
    where role.rolname = any ($2::text[])
      and pg_catalog.has_column_privilege(role.oid, class.oid, attribute.attnum, 'select')
  ) as readers
from pg_catalog.pg_class as class
join pg_catalog.pg_attribute as attribute on attribute.attrelid = class.oid
join pg_catalog.pg_type as type on type.oid = attribute.atttypid
join pg_catalog.pg_namespace as namespace on namespace.oid = type.typnamespace
left join pg_catalog.pg_type as base on base.oid = type.typbasetype and type.typtype = 'd'
left join pg_catalog.pg_constraint as key on key.conrelid = class.oid and key.contype = 'p'
where class.oid = any ($1::oid[])
  and attribute.attnum > 0
  and not attribute.attisdropped
order by class.oid, attribute.attnum

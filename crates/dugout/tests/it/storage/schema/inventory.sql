select line from (
  select concat_ws(' ', 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    nullif(a.attgenerated::text, ''), pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'storage'::regnamespace and c.relkind in ('r', 'p')
  union all
  select concat_ws(' ', 'relation', relname, relkind, relrowsecurity, relowner::regrole,
    (select string_agg(entry::text, ',' order by entry::text) from unnest(relacl) as entry))
  from pg_class where relnamespace = 'storage'::regnamespace
  union all
  select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'storage'::regnamespace
  union all
  select 'index ' || indexdef from pg_indexes where schemaname = 'storage'
  union all
  select concat_ws(' ', 'function', oid::regprocedure, pg_get_function_arguments(oid), pg_get_function_result(oid), prokind,
    provolatile, prosecdef, proisstrict, proowner::regrole, proconfig,
    (select string_agg(entry::text, ',' order by entry::text) from unnest(proacl) as entry))
  from pg_proc where pronamespace = 'storage'::regnamespace
  union all
  select 'trigger ' || pg_get_triggerdef(oid)
  from pg_trigger
  where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'storage'::regnamespace)
  union all
  select concat_ws(' ', 'enum', enumtypid::regtype, enumlabel)
  from pg_enum where enumtypid in (select oid from pg_type where typnamespace = 'storage'::regnamespace)
  union all
  select concat_ws(' ', 'migration', id, name) from storage.migrations
  union all
  select concat_ws(' ', 'comment', objoid::regclass, objsubid, description)
  from pg_description
  where classoid = 'pg_class'::regclass
    and objoid in (select oid from pg_class where relnamespace = 'storage'::regnamespace)
) as inventory (line)
order by line

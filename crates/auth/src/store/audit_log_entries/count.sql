-- $1 keys of the payload, $2 text to find in one of their values, or ''
select count(*)
from auth.audit_log_entries e
where e.instance_id = '00000000-0000-0000-0000-000000000000'
  and ($2 = '' or exists (select from unnest($1::text[]) key where e.payload ->> key ilike '%' || $2 || '%'))

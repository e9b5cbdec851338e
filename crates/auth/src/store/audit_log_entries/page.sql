-- $1 keys of the payload, $2 text to find in one of their values, or '', $3 offset, $4 limit
select e.id, e.payload, e.created_at, e.ip_address
from auth.audit_log_entries e
where e.instance_id = '00000000-0000-0000-0000-000000000000'
  and ($2 = '' or exists (select from unnest($1::text[]) key where e.payload ->> key ilike '%' || $2 || '%'))
order by e.created_at desc, e.id
limit $4 offset $3

-- $1 the payload, $2 now, $3 the client's address or ''
insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, $2, $3)

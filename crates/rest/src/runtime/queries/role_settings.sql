-- Settings of the roles that the connection's role may become: those a user may change, or that it was granted to set.
select r.rolname::text as role, split_part(s, '=', 1) as name, substr(s, strpos(s, '=') + 1) as value
from pg_auth_members m
join pg_roles r on r.oid = m.roleid
cross join unnest(r.rolconfig) s
left join pg_settings g on lower(g.name) = lower(split_part(s, '=', 1))
where m.member = (select oid from pg_roles where rolname = current_user)
and g.name is not null
and (g.context = 'user' or has_parameter_privilege(m.member, g.name, 'set'))

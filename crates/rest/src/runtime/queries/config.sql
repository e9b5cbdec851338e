-- `alter role … [in database …] set pgrst.…` of the connection's own role; what is set for this database alone wins.
select distinct on (name) name, value
from pg_db_role_setting s
cross join unnest(s.setconfig) as setting
cross join lateral (
    select substr(split_part(setting, '=', 1), length('pgrst.') + 1) as name, substr(setting, strpos(setting, '=') + 1) as value
) as pair
where s.setrole = (select oid from pg_roles where rolname = current_user)
and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
and setting like 'pgrst.%'
order by name, s.setdatabase desc

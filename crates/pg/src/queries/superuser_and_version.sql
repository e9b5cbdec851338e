-- Whether the session has superuser rights, and the server's version.
select rolsuper, pg_catalog.current_setting('server_version_num')::pg_catalog.int4
from pg_catalog.pg_roles
where rolname operator(pg_catalog.=) session_user

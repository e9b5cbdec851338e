select pg_catalog.pg_notify($1, payload)
from unnest($2::text[]) with ordinality as own (payload, place)
order by place

-- What can be done to relations ($1): 1 << CMD_UPDATE (2), CMD_INSERT (3), CMD_DELETE (4). It locks them for reading.
select oid, pg_relation_is_updatable(oid, true) as events from unnest($1::oid[]) oid

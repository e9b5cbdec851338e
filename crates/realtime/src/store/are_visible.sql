-- Whether transactions are visible that the log of changes says are committed: they become so a moment later. The log has the low
-- half of their numbers; the high half is that of the nearest number.
with now as materialized (
  select snapshot, pg_catalog.pg_snapshot_xmax(snapshot)::text::bigint as next
  from pg_catalog.pg_current_snapshot() as snapshot
)
select coalesce(
  bool_and(
    pg_catalog.pg_visible_in_snapshot(
      (now.next + (own - (now.next & 4294967295) + 6442450944) % 4294967296 - 2147483648)::text::xid8,
      now.snapshot
    )
  ),
  true
) as are_visible
from now, unnest($1::bigint[]) as own

-- Primary, unique and foreign keys of every schema: views of an exposed schema may show columns of tables that are not
-- exposed.
select conname::text as name, contype::text as kind, conparentid = 0 as is_top, conrelid as relation, conkey as positions,
    confrelid as foreign_relation, confkey as foreign_positions
from pg_constraint
where contype in ('p', 'u', 'f')

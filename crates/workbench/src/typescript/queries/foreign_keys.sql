-- Every foreign key, with names and numbers of its columns in the order of the key.
select coalesce(json_agg(found), '[]')::text
from (
    select
        k.conname as name,
        n.nspname as schema,
        c.relname as relation,
        c.oid::int8 as relation_id,
        pairs.columns,
        array_to_json(k.conkey) as numbers,
        other_namespace.nspname as referenced_schema,
        other.relname as referenced_relation,
        other.oid::int8 as referenced_id,
        pairs.referenced as referenced_columns,
        array_to_json(k.confkey) as referenced_numbers,
        -- A partition's copy of its parent's key.
        k.conparentid <> 0 as is_copy,
        exists (
            select
            from pg_catalog.pg_constraint u
            where u.conrelid = k.conrelid
                and u.contype in ('p', 'u')
                -- The key's columns in the order of the table are the unique ones as they stand: the original compares so.
                and pairs.numbers = (select array_agg(x order by x) from unnest(u.conkey) as x)
        ) as is_one_to_one
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_namespace n on n.oid = k.connamespace
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_class other on other.oid = k.confrelid
    join pg_catalog.pg_namespace other_namespace on other_namespace.oid = other.relnamespace
    cross join lateral (
        select
            json_agg(own.attname order by p.position) as columns,
            json_agg(its.attname order by p.position) as referenced,
            array_agg(p.number order by p.position) as numbers
        from unnest(k.conkey, k.confkey) with ordinality as p (number, other_number, position)
        join pg_catalog.pg_attribute own on own.attrelid = k.conrelid and own.attnum = p.number
        join pg_catalog.pg_attribute its on its.attrelid = k.confrelid and its.attnum = p.other_number
    ) as pairs
    where k.contype = 'f'
) as found

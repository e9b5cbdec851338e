-- Comments on relations (position 0) and their columns; objects that PostgreSQL brings along have smaller numbers.
select objoid as relation, objsubid as position, description from pg_description
where classoid = 'pg_class'::regclass and objoid >= 16384

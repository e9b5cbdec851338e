-- Operators that row policies may run after. PostgreSQL checks the policies of a table before any function that could reveal
-- hidden rows through an error; an index on such an operator is then useless. These functions raise no error that depends on
-- the rows: SECURITY.md says why, and which operators were left out. Only the embedded cluster has them.
set local search_path = '';

do $leakproof$
declare
  safe regprocedure;
begin
  if current_user <> 'supabase_admin' or not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  foreach safe in array array[
    -- tsvector @@ tsquery, tsquery @@ tsvector
    'ts_match_vq(tsvector, tsquery)', 'ts_match_qv(tsquery, tsvector)',
    -- jsonb @> jsonb, <@, ?, ?|, ?&
    'jsonb_contains(jsonb, jsonb)', 'jsonb_contained(jsonb, jsonb)',
    'jsonb_exists(jsonb, text)', 'jsonb_exists_any(jsonb, text[])', 'jsonb_exists_all(jsonb, text[])'
  ]::regprocedure[] loop
    execute format('alter function %s leakproof', safe);
  end loop;
end
$leakproof$;

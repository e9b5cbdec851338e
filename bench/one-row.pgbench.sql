\set id random(1, 100000)
\startpipeline
select set_config('search_path', '"public", "extensions"', true), set_config('request.jwt.claims', '{"sub":"' || :claims || '","role":"authenticated"}', true), set_config('request.method', 'GET', true), set_config('request.path', '/bench_rows', true), set_config('role', 'authenticated', true);
select coalesce(json_agg(row_to_json(found)), '[]') from (select id, owner_id, note from public.bench_rows where id = :id) found;
\endpipeline

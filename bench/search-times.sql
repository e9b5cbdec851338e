-- Milliseconds of the search functions, each call as a signed-in fan: the median, the 95th percentile and the longest.
set client_min_messages = warning;
select set_config('request.jwt.claims', jsonb_build_object('sub', (select id from public.users order by id limit 1), 'role', 'authenticated')::text, false) as caller \gset
select setseed(0.25);
create temporary table asked as
with names as (
  select n, private.folded(full_name) as name, 2 + floor(4 * random())::integer as cut, random() as r
  from (select row_number() over (order by md5(id::text)) as n, full_name from public.profiles where public_profile) as p where n <= 100
), texts as (
  select 'a name as it is typed' as what, left(name, cut) as query, '{}'::jsonb as filters from names
  union all select 'a whole name', name, '{}' from names
  union all select 'a name with a letter missing', overlay(name placing '' from 4 for 1), '{}' from names
  union all select 'two letters exchanged', left(name, 2) || substr(name, 4, 1) || substr(name, 3, 1) || substr(name, 5), '{}' from names
  union all select 'a family name and filters', split_part(name, ' ', 2), '{"class": ["2028", "2029"], "verified": true}' from names
  union all select 'filters alone', '', jsonb_build_object('state', jsonb_build_array((array['OR', 'WA', 'CA', 'TX', 'FL'])[1 + n % 5]),
      'position', jsonb_build_array((array['P', 'SS', 'C', 'CF'])[1 + n % 4]), 'velocity', 70 + n % 25) from names
  union all select 'one wide filter', '', jsonb_build_object('class', jsonb_build_array((2027 + n % 6)::text)) from names
  union all select 'nothing to be found', 'qx' || md5(name), '{}' from names
)
select * from texts order by random();

create temporary table times (what text, call text, ms double precision);
do $$
declare
  one record;
  began timestamptz;
begin
  for one in select * from asked loop
    began := clock_timestamp();
    perform public.search_players(one.query, one.filters);
    insert into times values (one.what, 'search_players', 1000 * extract(epoch from clock_timestamp() - began));
    continue when one.query = '';
    began := clock_timestamp();
    perform * from public.search_suggest(one.query);
    insert into times values (one.what, 'search_suggest', 1000 * extract(epoch from clock_timestamp() - began));
  end loop;
end
$$;
select call, coalesce(what, 'all') as what, count(*), round(percentile_cont(0.5) within group (order by ms)::numeric, 1) as p50_ms,
  round(percentile_cont(0.95) within group (order by ms)::numeric, 1) as p95_ms, round(max(ms)::numeric, 1) as max_ms
from times group by grouping sets ((call, what), (call)) order by call, what nulls last;

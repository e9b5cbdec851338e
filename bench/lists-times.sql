-- Milliseconds of every list in the database, each call as a signed-in fan behind row level security: the median, the 95th
-- percentile and the longest.
set client_min_messages = warning;
select set_config('request.jwt.claims', jsonb_build_object('sub', (select id from public.users order by id limit 1), 'role', 'authenticated')::text, false) as caller \gset
select setseed(0.25);
create temporary table asked as
with n as (select n, (array['OR', 'WA', 'CA', 'TX', 'FL'])[1 + n % 5] as state, (2027 + n % 6)::text as class, (array['P', 'IF', 'OF', 'C'])[1 + n % 4] as position from generate_series(1, :tries) as n),
  names as (select row_number() over (order by md5(id::text)) as n, full_name as name from public.profiles where public_profile),
  weights as (select n, jsonb_build_object('hitter', jsonb_build_array(n, 20, 30, 5 + n, 5), 'pitcher', jsonb_build_array(5, n, 20, 10, 1)) as w from n)
select * from (
  select 'search: a name' as what, format('public.search_players(%L)', left(m.name, 6)) as call from n join names as m using (n)
  union all select 'search: filters', format('public.search_players('''', %L)', jsonb_build_object('state', jsonb_build_array(n.state), 'position', jsonb_build_array('SS', 'CF'))) from n
  union all select 'leaderboard: measurement', format('public.leaderboard(%L)', (array['exit_velocity_max', 'sixty_yard_dash', 'bat_speed'])[1 + n % 3]) from n
  union all select 'leaderboard: all evidence', format('public.leaderboard(%L, evidence => ''all'')', (array['exit_velocity_max', 'sixty_yard_dash', 'bat_speed'])[1 + n % 3]) from n
  union all select 'leaderboard: season', format('public.leaderboard(%L, evidence => ''all'')', (array['ops', 'avg', 'era', 'k9'])[1 + n % 4]) from n
  union all select 'leaderboard: filters', format('public.leaderboard(''exit_velocity_max'', null, %L)', jsonb_build_object('state', n.state, 'class', n.class)) from n
  union all select 'leaderboard: second page', format('public.leaderboard(''bat_speed'', after => %L)', jsonb_build_object('qualifies', true, 'value', 79.9, 'id', '80000000-0000-4000-8000-000000000000')) from n
  union all select 'rankings: all', 'public.rankings(''players'')' from n
  union all select 'rankings: second page', format('public.rankings(''players'', after => %L)', jsonb_build_object('value', 78, 'id', '80000000-0000-4000-8000-000000000000')) from n
  union all select 'rankings: position', format('public.rankings(''players'', %L)', jsonb_build_object('position', n.position)) from n
  union all select 'rankings: state and class', format('public.rankings(''players'', %L)', jsonb_build_object('state', n.state, 'class', n.class)) from n
  union all select 'rankings: own weights', format('public.rankings(''players'', weights => %L)', w) from weights
  union all select 'timeline: all', '(select count(*) from public.timeline())' from n
  union all select 'timeline: second page', '(select count(*) from public.timeline(before_at => now() - interval ''1 day''))' from n
  union all select 'timeline: following', '(select count(*) from public.timeline(''following''))' from n
  union all select 'news', '(select count(*) from (select a.id, a.title from public.articles as a where a.status = ''published'' and a.published_at <= now()
    order by a.published_at desc, a.id desc limit 20) as l)' from n
  union all select 'news: a tag', '(select count(*) from (select a.id, a.title from public.articles as a where a.status = ''published'' and a.published_at <= now()
    and a.tags @> ''{camps}'' order by a.published_at desc, a.id desc limit 20) as l)' from n
  union all select 'college: programs', '(select count(*) from (select * from public.programs order by division, rpi_rank, name) as l)' from n
) as every order by random();

create temporary table times (what text, ms double precision);
grant select on asked to authenticated;
grant insert on times to authenticated;
set role authenticated;
do $$
declare
  one record;
  began timestamptz;
begin
  for one in select * from asked loop
    began := clock_timestamp();
    execute 'select ' || one.call;
    insert into times values (one.what, 1000 * extract(epoch from clock_timestamp() - began));
  end loop;
end
$$;
reset role;
select what as list, count(*), round(percentile_cont(0.5) within group (order by ms)::numeric, 1) as p50_ms,
  round(percentile_cont(0.95) within group (order by ms)::numeric, 1) as p95_ms, round(max(ms)::numeric, 1) as max_ms
from times group by what order by what;

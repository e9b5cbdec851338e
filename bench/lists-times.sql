-- Milliseconds of every list in the database, each call as a signed-in player behind row level security, an adult unless the list
-- says otherwise: the median, the 95th percentile and the longest.
set client_min_messages = warning;
select setseed(0.25);
create temporary table asked as
with n as (select n, (array['OR', 'WA', 'CA', 'TX', 'FL'])[1 + n % 5] as state, (2027 + n % 6)::text as class, (array['P', 'IF', 'OF', 'C'])[1 + n % 4] as position from generate_series(1, :tries) as n),
  names as (select row_number() over (order by md5(id::text)) as n, full_name as name from public.profiles where public_profile),
  weights as (select n, jsonb_build_object('hitter', jsonb_build_array(n, 20, 30, 5 + n, 5), 'pitcher', jsonb_build_array(5, n, 20, 10, 1)) as w from n),
  comments as (
    select format('(select count(*) from (select c.id, c.body, p.full_name from public.post_comments as c left join public.profiles as p on p.id = c.author_id
      where c.post_id = %L order by c.created_at desc, c.id desc limit 20) as l)', c.post_id) as call
    from public.post_comments as c group by c.post_id order by count(*) desc limit 1)
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
  union all select 'timeline: team', '(select count(*) from public.timeline(''team''))' from n
  union all select 'timeline: mine', '(select count(*) from public.timeline(''mine''))' from n
  union all select 'timeline: all, as a minor', '(select count(*) from public.timeline())' from n
  union all select 'timeline: second page, as a minor', '(select count(*) from public.timeline(before_at => now() - interval ''30 days''))' from n
  union all select 'timeline: team, as a minor', '(select count(*) from public.timeline(''team''))' from n
  union all select 'comments', c.call from n, comments as c
  union all select 'comments, as a minor', c.call from n, comments as c
  union all select 'home', 'public.home()' from n
  union all select 'home, as a minor', 'public.home()' from n
  union all select 'saved searches', '(select count(*) from (select id, name, query, filters, notify from public.saved_searches order by name) as l)' from n
  union all select 'college: board', format('(select count(*) from (select t.id, t.status, t.notes,
      (select jsonb_agg(c.body order by c.happened_on desc) from public.college_contacts as c where (c.player_id, c.target_id) = (t.player_id, t.id))
    from public.college_targets as t where t.player_id = %L order by t.next_on nulls last, t.created_at) as l)', a.id) from n, public.bench_callers as a where a.who = 'adult'
  union all select 'college: tasks', format('(select count(*) from (select id, title from public.college_tasks where player_id = %L
    order by grade, due_on nulls last, created_at, title) as l)', a.id) from n, public.bench_callers as a where a.who = 'adult'
  union all select 'news', '(select count(*) from (select a.id, a.title from public.articles as a where a.status = ''published'' and a.published_at <= now()
    order by a.published_at desc, a.id desc limit 20) as l)' from n
  union all select 'news: a tag', '(select count(*) from (select a.id, a.title from public.articles as a where a.status = ''published'' and a.published_at <= now()
    and a.tags @> ''{camps}'' order by a.published_at desc, a.id desc limit 20) as l)' from n
  union all select 'college: programs', '(select count(*) from (select * from public.programs order by division, rpi_rank, name) as l)' from n
) as every order by random();

create temporary table times (what text, ms double precision);
create temporary table callers as select * from public.bench_callers;
grant select on asked, callers to authenticated;
grant insert on times to authenticated;
set role authenticated;
do $$
declare
  one record;
  began timestamptz;
begin
  for one in select * from asked loop
    perform set_config('request.jwt.claims', jsonb_build_object('role', 'authenticated',
      'sub', (select c.id from pg_temp.callers as c where c.who = case when one.what like '%a minor' then 'minor' else 'adult' end))::text, false);
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

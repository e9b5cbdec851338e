-- Percentiles: the value, the group of comparison, and that invisible players are not counted.
begin;
select plan(31);
delete from auth.users;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

-- 30 shortstops: 1 to 24 of the class of 2027, the rest of 2028; 31 to 40 are pitchers of 2027. The bat speed of player
-- n is 50 + n, the 60-yard dash 7 + n/100, so the fastest swing has the slowest dash.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', '{"role": "player"}' from generate_series(1, 40) as n;
insert into public.birth_dates (user_id, birth_date) select id, '2000-01-01' from public.users;
update public.players set grad_year = case when right(user_id::text, 2)::integer between 25 and 30 then 2028 else 2027 end,
  positions = case when right(user_id::text, 2)::integer > 30 then array['P'] else array['SS'] end;
insert into public.measurements (player_id, kind, value, source, taken_at)
select pg_temp.id(n), kind, value, 'self', '2026-06-01'
from generate_series(1, 30) as n, lateral (values ('bat_speed', 50 + n), ('sixty_yard_dash', 7 + n / 100.0)) as m (kind, value);
insert into public.measurements (player_id, kind, value, source, taken_at) values (pg_temp.id(24), 'bat_speed', 40, 'self', '2025-06-01');
insert into public.measurements (player_id, kind, value, source) select pg_temp.id(n), 'fastball_max', 80 + n % 3, 'self' from generate_series(31, 34) as n;

set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select results_eq($$select percentile, n, class, "position", unit from public.player_percentiles(pg_temp.id(24)) where metric = 'bat_speed'$$,
  $$values (98, 24, 2027, 'IF', 'mph')$$, 'players are compared by class and position, with their newest number');
select results_eq($$select percentile, n from public.player_percentiles(pg_temp.id(24)) where metric = 'sixty_yard_dash'$$, 'values (2, 24)', 'for times, lower is better');
select results_eq($$select percentile from public.player_percentiles(pg_temp.id(12)) where metric = 'bat_speed'$$, 'values (48)', 'the middle value is near 50');
select results_eq($$select n, class, "position" from public.player_percentiles(pg_temp.id(30)) where metric = 'bat_speed'$$, $$values (30, null::integer, 'IF')$$, 'with too few players of a class, all classes are compared');
select results_eq($$select n, percentile, class, "position" from public.player_percentiles(pg_temp.id(31)) where metric = 'fastball_max'$$, $$values (4, null::integer, null::integer, null::text)$$, 'with four players there is no percentile');
reset role;
insert into public.measurements (player_id, kind, value, source) values (pg_temp.id(35), 'fastball_max', 80, 'self');
set local role anon;
select results_eq($$select n, percentile from public.player_percentiles(pg_temp.id(35)) where metric = 'fastball_max'$$, 'values (5, 20)', 'with five players there is one; equal values count half');

-- Players who are not shown are not counted.
reset role;
update public.users set public_profile = false where id in (select pg_temp.id(n) from generate_series(1, 2) as n);
delete from public.birth_dates where user_id = pg_temp.id(3);
set local role anon;
select results_eq($$select n from public.player_percentiles(pg_temp.id(24)) where metric = 'bat_speed'$$, 'values (21)', 'private players and those without a birth date are not counted');
select is_empty('select * from public.player_percentiles(pg_temp.id(1))', 'private players have no percentiles for others');
select is_empty('select * from public.player_percentiles(pg_temp.id(99))', 'unknown players have no percentiles');
select is_empty('select * from public.player_percentiles(null)', 'null returns no percentiles');
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-000000000001", "role": "authenticated"}';
select results_eq($$select percentile, n from public.player_percentiles(pg_temp.id(1)) where metric = 'bat_speed'$$, 'values (2, 22)', 'private players see their own percentiles');

-- Season lines: the newest with enough data.
reset role;
insert into public.batting_lines (player_id, season, pa, ab, h) select pg_temp.id(n), 2026, 40, 40, n from generate_series(4, 24) as n;
insert into public.batting_lines (player_id, season, pa, ab, h) values (pg_temp.id(24), 2025, 40, 40, 1);
insert into public.batting_lines (player_id, season, pa, ab, h) values (pg_temp.id(30), 2026, 19, 19, 19);
insert into public.pitching_lines (player_id, season, outs, r, er) select pg_temp.id(n), 2026, 60, n, n from generate_series(31, 39) as n;
insert into public.pitching_lines (player_id, season, outs, r, er) values (pg_temp.id(40), 2026, 29, 0, 0);
set local role anon;
select results_eq($$select value, percentile, n, source, verified from public.player_percentiles(pg_temp.id(24)) where metric = 'avg'$$, $$values (0.600, 98, 21, 'self', false)$$, 'batting uses the newest season');
select is_empty($$select from public.player_percentiles(pg_temp.id(30)) where metric = 'avg'$$, 'seasons under 20 at-bats are not used');
select results_eq($$select percentile, n from public.player_percentiles(pg_temp.id(31)) where metric = 'era'$$, 'values (94, 9)', 'the lowest ERA is the best');
select is_empty($$select from public.player_percentiles(pg_temp.id(40)) where metric = 'era'$$, 'seasons under 30 outs are not used');
select is_empty($$select from public.player_percentiles(pg_temp.id(31)) where value is null$$, 'unknown values are left out');
select results_eq($$select metric from public.player_percentiles(pg_temp.id(24))$$, $$values ('sixty_yard_dash'), ('bat_speed'), ('avg'), ('obp'), ('slg'), ('ops')$$, 'the order is that of the page');

-- The newest numbers follow changes.
reset role;
update public.measurements set verified_at = now() where player_id = pg_temp.id(24) and value = 74;
set local role anon;
select results_eq($$select value, verified from public.player_percentiles(pg_temp.id(24)) where metric = 'bat_speed'$$, 'values (74::numeric, true)', 'a verification is reflected');
reset role;
delete from public.measurements where player_id = pg_temp.id(24) and value = 74;
update public.batting_lines set h = 4 where player_id = pg_temp.id(24) and season = 2026;
set local role anon;
select results_eq($$select value, verified from public.player_percentiles(pg_temp.id(24)) where metric = 'bat_speed'$$, 'values (40::numeric, false)', 'if the newest measurement is deleted the previous one is used');
select results_eq($$select value from public.player_percentiles(pg_temp.id(24)) where metric = 'avg'$$, 'values (0.100)', 'a corrected season line is reflected');
reset role;
delete from public.batting_lines where player_id = pg_temp.id(24);
select is_empty($$select from public.player_numbers where player_id = pg_temp.id(24) and metric = 'avg'$$, 'without a season line there is no average');
select results_eq($$select player_id, metric, value, source, verified, taken_at from public.player_numbers order by 1, 2$$,
  $$select player_id, metric, value, source, verified, taken_at from private.numbers_now order by 1, 2$$, 'the stored numbers equal the computed ones');

-- Under 14 by age, and never with older players.
update public.birth_dates set birth_date = (private.today() - interval '13 years 10 days')::date where user_id in (select pg_temp.id(n) from generate_series(4, 9) as n);
update public.birth_dates set birth_date = (private.today() - interval '12 years 10 days')::date where user_id in (select pg_temp.id(n) from generate_series(10, 14) as n);
update public.users set public_profile = true where id in (select pg_temp.id(n) from generate_series(4, 9) as n) and not public_profile;
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select results_eq($$select n, percentile, class, "position", same_age from public.player_percentiles(pg_temp.id(9)) where metric = 'bat_speed'$$,
  $$values (6, 92, null::integer, null::text, true)$$, 'players of 13 are compared with those of the same age');
select results_eq($$select n, same_age from public.player_percentiles(pg_temp.id(23)) where metric = 'bat_speed'$$, 'values (16, false)', 'older players are not compared with them');
select is_empty($$select from public.player_percentiles(pg_temp.id(12))$$, 'percentiles of a player of 12 are not public');
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-000000000012", "role": "authenticated"}';
select results_eq($$select n, percentile, same_age from public.player_percentiles(pg_temp.id(12)) where metric = 'bat_speed'$$, 'values (1, null::integer, true)', 'that player is not compared with older ones');
reset role;
select is(private.age_mates(pg_temp.id(4)) @> (private.today() - interval '13 years')::date, true, 'a player who turns 13 today belongs to those of 13');
update public.birth_dates set birth_date = (private.today() - interval '14 years')::date where user_id = pg_temp.id(4);
select is(private.age_mates(pg_temp.id(4)) @> '1990-01-01'::date, true, 'from the 14th birthday players are compared with older ones');
update public.birth_dates set birth_date = (private.today() - interval '14 years' + interval '1 day')::date where user_id = pg_temp.id(4);
select is(private.age_mates(pg_temp.id(4)) @> '1990-01-01'::date, false, 'on the day before they are not');
select is(private.age_mates(pg_temp.id(4)) @> (select birth_date from public.birth_dates where user_id = pg_temp.id(4)), true, 'players are always in their own group');
insert into public.suspensions (user_id, reason) values (pg_temp.id(23), 'A reason');
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-000000000023", "role": "authenticated"}';
select is_empty($$select from public.player_percentiles(pg_temp.id(24))$$, 'suspended users cannot read percentiles');

select * from finish();
rollback;

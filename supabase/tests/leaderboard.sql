-- Leaderboards: ranks, qualifiers, evidence, groups, and that nobody appears, or is counted, who is not public.
begin;
select plan(60);
delete from auth.users;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
create function pg_temp.act(number integer) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(number), 'role', 'authenticated')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
-- "1 Player 24, 2 Player 23": rank and name of each row.
create function pg_temp.listed(board jsonb) returns text
language sql
as $$
  select string_agg(concat_ws(' ', coalesce(r ->> 'rank', '-'), r ->> 'name'), ', ' order by n)
  from jsonb_array_elements(board -> 'rows') with ordinality as rows (r, n)
$$;
-- A day on which the age on May 1 of this year is that of "years".
create function pg_temp.born(years integer, month integer default 1) returns date
language sql stable
as $$ select make_date(extract(year from private.today())::integer - years, month, 1) $$;

-- Players 1 to 24 with bat speeds of 50 + n, verified but for 5. 30 is private, 31 suspended, 32 is 12, 33 is 15 and has shown the
-- profile, 34 is 15 and has not, 35 is 15 and hidden by guardian 40.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Player ' || n, 'role', case when n = 40 then 'fan' else 'player' end, 'public_profile', true)
from generate_series(1, 40) as n where n <= 24 or n between 30 and 35 or n = 40;
insert into public.birth_dates (user_id, birth_date)
select id, case right(id::text, 2)::integer when 32 then (private.today() - interval '12 years')::date
  when 33 then pg_temp.born(15) when 34 then pg_temp.born(15) when 35 then pg_temp.born(15) else '2000-01-01' end
from public.users;
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile) values
  (pg_temp.id(32), pg_temp.id(40), '40@example.com', 'accepted', false), (pg_temp.id(35), pg_temp.id(40), '40@example.com', 'accepted', true);
update public.users set public_profile = true where id in (pg_temp.id(33), pg_temp.id(35)) and not public_profile;
update public.users set public_profile = false where id = pg_temp.id(30);
insert into public.suspensions (user_id, reason) values (pg_temp.id(31), 'A reason');
update public.players set grad_year = case when right(user_id::text, 2)::integer <= 12 then 2028 else 2029 end, state = 'OR', positions = array['SS'];
update public.players set positions = array['P'], state = 'WA' where user_id = pg_temp.id(24);
insert into public.measurements (player_id, kind, value, source, verified_at, taken_at)
select user_id, 'bat_speed', 50 + right(user_id::text, 2)::integer, 'self', case when user_id <> pg_temp.id(5) then now() end, '2026-06-01' from public.players;
insert into public.measurements (player_id, kind, value, source, verified_at, taken_at) values
  (pg_temp.id(1), 'bat_speed', 90, 'self', null, '2026-07-01'), (pg_temp.id(2), 'bat_speed', 73, 'scorebook', null, '2026-07-01');
update public.measurements set value = 72 where player_id = pg_temp.id(21);

select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('bat_speed', places => 6)),
  '1 Player 33, 2 Player 24, 3 Player 2, 3 Player 23, 5 Player 21, 5 Player 22', 'verified and scorebook numbers are listed, and equal ones share a rank');
select is(pg_temp.listed(public.leaderboard('bat_speed', evidence => 'all', places => 2)), '1 Player 1, 2 Player 33', 'with all evidence the newest number counts');
select is(public.leaderboard('bat_speed') -> 'rows' -> 23 ->> 'value', '51.0', 'without it the newest verified one');
select is((public.leaderboard('bat_speed') ->> 'qualified')::integer, 24, 'neither private, nor suspended, nor hidden players, nor children are counted');
select is((public.leaderboard('bat_speed') ->> 'unverified')::integer, 1, 'those with unverified numbers alone are said');
select is((public.leaderboard('bat_speed', evidence => 'all') ->> 'qualified')::integer, 25, 'and counted with all evidence');
select is((select count(*) from jsonb_array_elements(public.leaderboard('bat_speed', evidence => 'all') -> 'rows') as r where r ->> 'id' in (
  pg_temp.id(30)::text, pg_temp.id(31)::text, pg_temp.id(32)::text, pg_temp.id(34)::text, pg_temp.id(35)::text)), 0::bigint, 'no evidence shows them');
select is(public.leaderboard('bat_speed') -> 'you' ->> 'rank', '23', 'the caller has a place');
select is((select sum(c::integer) from jsonb_array_elements_text(public.leaderboard('bat_speed') -> 'histogram' -> 'counts') as c), 24::bigint, 'the histogram counts whom the list counts');
select is(public.leaderboard('bat_speed') -> 'rows' -> 0 ->> 'percentile', '98', 'the first of 24 has the 98th percentile');
select is(public.leaderboard('bat_speed', filters => '{"class": "2028"}') -> 'histogram', 'null', 'below 20 players there is no histogram');
select is(public.leaderboard('bat_speed', filters => '{"class": "2028"}') -> 'rows' -> 0 ->> 'percentile', null, 'and no percentile');
select is((public.leaderboard('bat_speed', filters => '{"class": "2028"}') ->> 'qualified')::integer, 11, 'by class');
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"position": "P"}')), '1 Player 24', 'by group of positions');
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"state": "WA", "class": "2029"}')), '1 Player 24', 'by state and class');
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"age": "16u"}')), '1 Player 33', 'by age group');
select is((public.leaderboard('bat_speed', filters => '{"age": "open"}') ->> 'qualified')::integer, 23, 'adults are in none');
select is(pg_temp.listed(public.leaderboard('bat_speed', after => public.leaderboard('bat_speed', places => 1) -> 'next', places => 2)), '2 Player 24, 3 Player 2', 'a page begins after the previous one');
select is(pg_temp.listed(public.leaderboard('bat_speed', after => public.leaderboard('bat_speed', places => 3) -> 'next', places => 2)), '3 Player 23, 5 Player 21', 'a page can begin between equal values, which keep their rank');
select is((with recursive pages as (
    select public.leaderboard('bat_speed', places => 7) as board, 1 as n
    union all select public.leaderboard('bat_speed', after => board -> 'next', places => 7), n + 1 from pages where board -> 'next' <> 'null' and n < 9)
  select string_agg(pg_temp.listed(board), ', ' order by n) from pages), pg_temp.listed(public.leaderboard('bat_speed')), 'all pages together are the whole list');
select is(public.leaderboard('bat_speed', places => 24) -> 'next', 'null', 'the last page has no next one');
reset role;
update public.measurements set value = 80 where player_id = pg_temp.id(20);
select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('bat_speed', after => '{"qualifies": true, "value": 73, "id": "00000000-0000-4000-8000-000000000023"}', places => 1)), '6 Player 21', 'a page continues after its row although another player has overtaken it');
reset role;
update public.measurements set value = 70 where player_id = pg_temp.id(20);
select pg_temp.act(3);
reset role;
update public.birth_dates set birth_date = pg_temp.born(14, 5) where user_id = pg_temp.id(33);
select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"age": "14u"}')), '1 Player 33', 'who is 14 on May 1 plays in 14U all year');
reset role;
update public.birth_dates set birth_date = pg_temp.born(15, 5) where user_id = pg_temp.id(33);
select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"age": "16u"}')), '1 Player 33', 'and who is 15 on it in 16U');
select is(public.leaderboard('bat_speed', 2020, '{"age": "16u"}'), public.leaderboard('bat_speed', filters => '{"age": "16u"}'), 'the groups of other years, which would tell the birth year, cannot be asked for');

-- Players under 14 on January 1 are not compared with older ones. Player 36 is public and has the best number of all.
reset role;
insert into auth.users (id, email, raw_user_meta_data)
values (pg_temp.id(36), '36@example.com', '{"full_name": "Player 36", "role": "player", "public_profile": true}');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id(36), make_date(extract(year from private.today())::integer - 14, 1, 2));
update public.users set public_profile = true where id = pg_temp.id(36);
update public.players set grad_year = 2028, state = 'OR', positions = array['SS'] where user_id = pg_temp.id(36);
insert into public.measurements (player_id, kind, value, source, verified_at) values (pg_temp.id(36), 'bat_speed', 95, 'event', now());
select is((select count(*) from private.standings where player_id = pg_temp.id(36)), 1::bigint, 'a player who was 13 on January 1 has a standing');
select pg_temp.act(3);
select is((public.leaderboard('bat_speed') ->> 'qualified')::integer, 24, 'that player is not listed or counted among all ages');
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"class": "2028"}', places => 1)), '1 Player 2', 'that player is not listed in a class, either');
select is(pg_temp.listed(public.leaderboard('bat_speed', filters => '{"age": "14u"}')), '1 Player 36', 'that player is listed in 14U');
select is(public.leaderboard('bat_speed') -> 'young', 'false', 'young is false for other callers');
select pg_temp.act(36);
select is(public.leaderboard('bat_speed') -> 'you', 'null', 'the player has no rank among older players');
select is(public.leaderboard('bat_speed') -> 'young', 'true', 'young is true for the player');
select is(public.leaderboard('bat_speed', filters => '{"age": "14u"}') -> 'you' ->> 'rank', '1', 'the player has a rank in 14U');
reset role;
update public.birth_dates set birth_date = make_date(extract(year from private.today())::integer - 14, 1, 1) where user_id = pg_temp.id(36);
select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('bat_speed', places => 1)), '1 Player 36', 'a player who is 14 on January 1 is listed among all ages');
reset role;
update public.users set public_profile = false where id = pg_temp.id(36);
select is((select count(*) from private.standings where player_id = pg_temp.id(36)), 0::bigint, 'a player whose profile becomes private is removed at once');

-- Lower is better; season statistics.
insert into public.measurements (player_id, kind, value, source, verified_at) values
  (pg_temp.id(1), 'sixty_yard_dash', 7.1, 'event', now()), (pg_temp.id(2), 'sixty_yard_dash', 6.9, 'event', now());
insert into public.batting_lines (player_id, season, team_name, pa, ab, h, hr) values
  (pg_temp.id(1), 2026, 'A', 40, 40, 12, 2), (pg_temp.id(1), 2026, 'B', 20, 20, 6, 1), (pg_temp.id(2), 2026, 'A', 50, 50, 20, 0),
  (pg_temp.id(3), 2026, 'A', 34, 34, 30, 1), (pg_temp.id(4), 2026, 'A', 41, 0, 0, 0), (pg_temp.id(1), 2025, 'A', 60, 60, 6, 0),
  (pg_temp.id(30), 2026, 'A', 90, 90, 80, 9), (pg_temp.id(32), 2026, 'A', 90, 90, 80, 9);
insert into public.pitching_lines (player_id, season, outs, r, er) values (pg_temp.id(24), 2026, 54, 9, 6), (pg_temp.id(23), 2026, 30, 9, 6);
select pg_temp.act(3);
select is(pg_temp.listed(public.leaderboard('sixty_yard_dash')), '1 Player 2, 2 Player 1', 'for times, lower is better');
select is(pg_temp.listed(public.leaderboard('avg', evidence => 'all')), '1 Player 2, 2 Player 1, - Player 3', 'seasons of two teams are added up; who lacks plate appearances has no rank');
select is(public.leaderboard('avg', evidence => 'all') -> 'rows' -> 2 ->> 'needs', '6', 'and is told how many');
select is(pg_temp.listed(public.leaderboard('avg', evidence => 'all', minimum => 0)), '1 Player 3, 2 Player 2, 3 Player 1', 'another minimum can be asked for; unknown rates are left out');
select is(pg_temp.listed(public.leaderboard('avg', 2025, evidence => 'all')), '1 Player 1', 'and another season');
select is((public.leaderboard('avg', evidence => 'all') ->> 'season')::integer, 2026, 'the last season is the default');
select is((public.leaderboard('avg') ->> 'unverified')::integer, 3, 'season lines are self-reported: by default they are only counted');
select is(pg_temp.listed(public.leaderboard('era', evidence => 'all')), '1 Player 24, 2 Player 23', 'the lowest ERA is the first');
select is(pg_temp.listed(public.leaderboard('hr', evidence => 'all')), '1 Player 1, 2 Player 3, 3 Player 2, 3 Player 4', 'counts need no minimum');

-- A player's age group changes with the season, so only this season's boards have age groups. 37 was under 14 in the last season
-- and no longer is; 38 still is.
reset role;
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Player ' || n, 'role', 'player', 'public_profile', true) from generate_series(37, 38) as n;
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id(37), pg_temp.born(14)), (pg_temp.id(38), make_date(extract(year from private.today())::integer - 14, 1, 2));
update public.users set public_profile = true where id in (pg_temp.id(37), pg_temp.id(38)) and not public_profile;
insert into public.batting_lines (player_id, season, team_name, pa, ab, h, sb)
select pg_temp.id(n), extract(year from private.today())::integer - back, 'A', 60, 60, 6, n from generate_series(37, 38) as n, generate_series(0, 1) as back;
create function pg_temp.past() returns integer language sql stable as $$ select extract(year from now() at time zone 'utc')::integer - 1 $$;
select pg_temp.act(3);
select throws_ok($$select public.leaderboard('sb', pg_temp.past(), '{"age": "14u"}', 'all')$$, 'PT400', 'Only this season has age groups.', 'an earlier season has no age groups');
select throws_ok($$select public.leaderboard('sb', pg_temp.past() + 2, '{"age": "16u"}', 'all')$$, 'PT400', 'Only this season has age groups.', 'nor has a later one');
select is(pg_temp.listed(public.leaderboard('sb', pg_temp.past() + 1, '{"age": "14u"}', 'all')), '1 Player 38, 2 Player 37', 'this season has them');
select is(public.leaderboard('sb', null, '{"age": "14u"}', 'all'), public.leaderboard('sb', pg_temp.past() + 1, '{"age": "14u"}', 'all'), 'and is the one of an age group without a season');
select is(pg_temp.listed(public.leaderboard('sb', pg_temp.past(), evidence => 'all', places => 1)), '1 Player 37', 'who was under 14 in an earlier season, and is not now, is listed in it as in this one');
select is(public.leaderboard('sb', pg_temp.past(), evidence => 'all') -> 'rows' @> jsonb_build_array(jsonb_build_object('name', 'Player 38')), false, 'who is under 14 is not listed in an earlier season, either');
select pg_temp.act(38);
select is(public.leaderboard('sb', pg_temp.past() - 3, evidence => 'all') -> 'young', 'true', 'and learns why');
reset role;
delete from public.batting_lines where season = pg_temp.past() + 1;
select pg_temp.act(3);
select is((public.leaderboard('sb', null, '{"age": "18u"}') ->> 'season')::integer, pg_temp.past() + 1, 'an age group is of this season even before it has numbers');

reset role;
select bag_eq('select * from private.standings', 'select now.* from (select array_agg(id) as people from public.profiles) as p, private.standings_now(p.people) as now',
  'after all changes the kept rows equal freshly computed ones');
select pg_temp.act(3);

-- Bad requests and callers.
select throws_ok($$select public.leaderboard('salary')$$, 'PT404', 'There is no such statistic.', 'an unknown statistic');
select throws_ok($$select public.leaderboard('bat_speed', filters => '{"age": "12u"}')$$, 'PT400', null, 'an unknown age group');
select throws_ok($$select public.leaderboard('bat_speed', filters => '{"school": "x"}')$$, 'PT400', null, 'an unknown filter');
select throws_ok($$select public.leaderboard('bat_speed', places => 1001)$$, 'PT400', null, 'more than a thousand places');
select throws_ok($$select public.leaderboard('bat_speed', filters => '{"class": "2028) or (true"}')$$, '22P02', null, 'SQL is no class');
select pg_temp.act(31);
select throws_ok($$select public.leaderboard('bat_speed')$$, '42501', 'Your account is suspended.', 'suspended users see none');
set local role anon;
select throws_ok($$select public.leaderboard('bat_speed')$$, '42501', null, 'nor do visitors');

select * from finish();
rollback;

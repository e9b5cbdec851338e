-- The pitch limits and rest that the scorebook shows for a team's pitchers, and the log of overridden rules.
begin;
select plan(33);
delete from auth.users;
delete from public.teams;
delete from public.leagues;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case name when 'anon' then '{"role": "anon"}'
    else jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text end, true);
  perform set_config('role', case name when 'anon' then 'anon' else 'authenticated' end, true);
end
$$;
create function pg_temp.team(called text) returns uuid
language sql stable security definer
as $$ select id from public.teams where name = called $$;
create function pg_temp.game(against text) returns uuid
language sql stable security definer
as $$ select id from public.games where against in (visitor_name, home_name) $$;
create function pg_temp.athlete(name text) returns uuid
language sql stable security definer
as $$ select athlete_id from public.athlete_identities where user_id = pg_temp.id(name) or (name = 'gst' and athlete_id = pg_temp.id('gst')) $$;
create function pg_temp.today() returns date language sql stable as $$ select (now() at time zone 'utc')::date $$;
-- Adds an outing. Null stands for pitches that were not recorded.
create function pg_temp.throws(name text, against text, pitches integer) returns void
language sql security definer
as $$
  insert into public.player_game_pitching (game_id, athlete_id, side, number, pitches)
  select pg_temp.game(against), pg_temp.athlete(name), 0, 1 + (select count(*) from public.player_game_pitching where game_id = pg_temp.game(against)), pitches
$$;
create function pg_temp.override(id uuid, name text, rule text, reason text, against text default 'Gulls') returns void
language sql
as $$ select public.override_pitch_limit(id, pg_temp.game(against), pg_temp.athlete(name), rule, reason) $$;
create function pg_temp.logged() returns bigint
language sql stable security definer
as $$ select count(*) from public.audit_log where action = 'pitch_limit_overridden' $$;

-- cam is the verified coach of the vetted Owls; cal, who is not verified, helps there and coaches Crows. The names of the players say
-- their age; gst is a guest, whose age nobody knows.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role)
from (values ('cam', 'coach'), ('cal', 'coach'), ('a08', 'player'), ('b12', 'player'), ('c14', 'player'), ('d16', 'player'), ('e18', 'player'),
  ('f20', 'player'), ('gus', 'fan'), ('fay', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), pg_temp.today() - make_interval(years => age)
from (values ('cam', 40), ('cal', 40), ('a08', 8), ('b12', 12), ('c14', 14), ('d16', 16), ('e18', 18), ('f20', 20), ('gus', 40), ('fay', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
select pg_temp.id(name), pg_temp.id('gus'), 'gus@example.com', 'accepted' from (values ('a08'), ('b12'), ('c14'), ('d16')) as wards (name);
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select pg_temp.act('cam');
select public.create_team('Owls');
select pg_temp.act('cal');
select public.create_team('Crows');
reset role;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.team('Owls'), pg_temp.id(name), 'player', 'active' from (values ('a08'), ('b12'), ('c14'), ('d16'), ('e18'), ('f20')) as people (name);
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.team('Owls'), pg_temp.id('cal'), 'coach', 'active'), (pg_temp.team('Crows'), pg_temp.id('f20'), 'player', 'active');
select pg_temp.act('cam');
select public.create_game(pg_temp.team('Owls'), against, false, pg_temp.today() - days)
from (values ('Gulls', 0), ('Terns', 0), ('Rooks', 1), ('Swans', 3), ('Wrens', 8)) as played (against, days);
select pg_temp.act('cal');
select public.create_game(pg_temp.team('Crows'), 'Kites', false, pg_temp.today());
reset role;
select set_config('request.jwt.claims', '', true);
insert into public.athletes (id, initial, owner_team_id) values (pg_temp.id('gst'), 'G', pg_temp.team('Owls'));
insert into public.athlete_identities (athlete_id, full_name) values (pg_temp.id('gst'), 'Guest');
insert into public.lineups (game_id, athlete_id, side) values (pg_temp.game('Gulls'), pg_temp.id('gst'), 0);

select pg_temp.act('cam');
select results_eq($$select i.user_id = any (array[pg_temp.id('a08'), pg_temp.id('b12'), pg_temp.id('c14'), pg_temp.id('d16'), pg_temp.id('e18'), pg_temp.id('f20')]),
    a.day_limit, a.youngest, a.oldest
  from public.game_arms(pg_temp.game('Gulls')) as a join public.athlete_identities as i using (athlete_id) order by a.day_limit, i.full_name nulls first, a.athlete_id$$,
  $$values (true, 50, null::integer, 8), (true, 85, 11, 12), (true, 95, 13, 16), (true, 95, 13, 16), (true, 105, 17, 18), (true, 120, 19, null),
    (null, null, null, null)$$, 'each age has its limit, an unknown age has none');
select is_empty($$select * from public.game_arms(pg_temp.game('Gulls')) as a where thrown_today <> 0 or ready_on is not null or rested_pitches is not null or uncounted$$,
  'without outings there are no pitches and no rest');
select results_eq($$select count(*) from public.game_arms(pg_temp.game('Terns'))$$, 'values (6::bigint)', 'a guest is listed only in games whose lineup has the guest');

-- Two games a day, and the days before.
reset role;
select set_config('request.jwt.claims', '', true);
update public.games set status = case id when pg_temp.game('Gulls') then 'live' else 'final' end
where owner_team_id in (pg_temp.team('Owls'), pg_temp.team('Crows'));
select pg_temp.throws('a08', 'Terns', 30);
select pg_temp.throws('b12', 'Rooks', 66);
select pg_temp.throws('b12', 'Swans', 20);
select pg_temp.throws('c14', 'Swans', 66);
select pg_temp.throws('c14', 'Rooks', 21);
select pg_temp.throws('d16', 'Rooks', 30);
select pg_temp.throws('d16', 'Wrens', 95);
select pg_temp.throws('e18', 'Rooks', 76);
select pg_temp.throws('e18', 'Terns', 10);
select pg_temp.throws('e18', 'Gulls', 40);
select pg_temp.throws('gst', 'Rooks', 50);
select pg_temp.throws('f20', 'Kites', 15);
create function pg_temp.arm(name text) returns table (thrown integer, ready_in integer, rested integer, uncounted boolean)
language sql stable
as $$ select thrown_today, ready_on - pg_temp.today(), rested_pitches, uncounted from public.game_arms(pg_temp.game('Gulls')) where athlete_id = pg_temp.athlete(name) $$;
select pg_temp.act('cam');
select results_eq($$select * from pg_temp.arm('a08')$$, 'values (30, null::integer, null::integer, false)', 'pitches of another game of the day count');
select results_eq($$select * from pg_temp.arm('b12')$$, 'values (0, 4, 66, false)', 'rest after 66 pitches at 12: four days');
select results_eq($$select * from pg_temp.arm('c14')$$, 'values (0, 2, 66, false)', 'the longest rest counts, not that of the last outing');
select results_eq($$select * from pg_temp.arm('d16')$$, 'values (0, -1, 30, false)', 'at 16, 30 pitches need no rest; outings more than a week ago do not count');
select results_eq($$select * from pg_temp.arm('e18')$$, 'values (10, 3, 76, false)', 'at 18, 76 pitches need three days; the game itself is not counted');
select results_eq($$select * from pg_temp.arm('gst')$$, 'values (0, 2, 50, false)', 'a guest of unknown age rests like the youngest');
select results_eq($$select * from pg_temp.arm('f20')$$, 'values (15, null::integer, null::integer, false)', 'a game of another team counts');
select is((select thrown_today from public.game_arms(pg_temp.game('Terns')) where athlete_id = pg_temp.athlete('e18')), 40, 'this game counts in the other game of the day');
reset role;
select set_config('request.jwt.claims', '', true);
select pg_temp.throws('a08', 'Rooks', null);
update public.player_game_pitching set pitches = null where athlete_id = pg_temp.athlete('c14') and game_id = pg_temp.game('Rooks');
select pg_temp.act('cam');
select results_eq($$select * from pg_temp.arm('a08')$$, 'values (30, null::integer, null::integer, true)', 'an outing without recorded pitches sets uncounted');
select results_eq($$select * from pg_temp.arm('c14')$$, 'values (0, 2, 66, true)', 'the rest from other outings still holds');

-- Who reads them.
select pg_temp.act('anon');
select throws_ok($$select * from public.game_arms(pg_temp.game('Gulls'))$$, '42501', null, 'visitors cannot call game_arms()');
select throws_ok($$select pg_temp.override(pg_temp.id('id1'), 'b12', 'rest', 'Final')$$, '42501', null, 'visitors cannot override a limit');
select pg_temp.act('fay');
select is_empty($$select * from public.game_arms(pg_temp.game('Gulls'))$$, 'a stranger reads nothing');
select pg_temp.act('b12');
select is_empty($$select * from public.game_arms(pg_temp.game('Gulls'))$$, 'a player of the team reads nothing');
select pg_temp.act('cal');
select is_empty($$select * from public.game_arms(pg_temp.game('Gulls'))$$, 'a coach who may not score a vetted team''s game reads nothing');
select results_eq($$select athlete_id = pg_temp.athlete('f20') from public.game_arms(pg_temp.game('Kites'))$$, 'values (true)', 'that coach reads the pitchers of the own team');
select pg_temp.act('cam');
select is_empty($$select * from public.game_arms(pg_temp.game('Kites'))$$, 'another team''s coach reads nothing');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('cam'), 'role', 'authenticated', 'aal', 'aal2', 'client_id', pg_temp.id('app'))::text, true);
select is_empty($$select * from public.game_arms(pg_temp.game('Gulls'))$$, 'another app reads nothing');

-- The log.
select pg_temp.act('cam');
select lives_ok($$select pg_temp.override(pg_temp.id('id1'), 'b12', 'rest', '  Nobody else could pitch ')$$, 'a scorer overrides a rule');
select lives_ok($$select pg_temp.override(pg_temp.id('id1'), 'b12', 'rest', 'Nobody else could pitch')$$, 'the call can be repeated with the same id');
select lives_ok($$select pg_temp.override(pg_temp.id('id2'), 'b12', 'day_limit', repeat('x', 200))$$, 'a second override has its own id');
reset role;
select results_eq($$select actor_id, subject_id, reason, detail from public.audit_log where action = 'pitch_limit_overridden' order by id limit 1$$,
  $$values (pg_temp.id('cam'), pg_temp.game('Gulls')::text, 'Nobody else could pitch',
    jsonb_build_object('id', pg_temp.id('id1'), 'athlete_id', pg_temp.athlete('b12'), 'rule', 'rest'))$$, 'the audit log has the scorer, the pitcher, the rule and the reason');
select is(pg_temp.logged(), 2::bigint, 'each override is logged once');
select pg_temp.act('cam');
select throws_ok($$select pg_temp.override(pg_temp.id('id3'), 'b12', 'rest', '  ')$$, 'PT400', null, 'an override without a reason is refused');
select throws_ok($$select pg_temp.override(pg_temp.id('id3'), 'b12', 'rest', repeat('x', 201))$$, 'PT400', null, 'a reason of more than 200 characters is refused');
select throws_ok($$select pg_temp.override(pg_temp.id('id3'), 'b12', 'age', 'x')$$, 'PT400', null, 'an unknown rule is refused');
select throws_ok($$select public.override_pitch_limit(pg_temp.id('id3'), pg_temp.game('Gulls'), pg_temp.id('zoe'), 'rest', 'x')$$, 'PT404', null, 'an athlete of another team is refused');
select pg_temp.act('cal');
select throws_ok($$select pg_temp.override(pg_temp.id('id3'), 'b12', 'rest', 'x')$$, '42501', null, 'a coach who may not score the game cannot override a rule');
select pg_temp.act('fay');
select throws_ok($$select pg_temp.override(pg_temp.id('id3'), 'b12', 'rest', 'x')$$, '42501', null, 'a stranger cannot override a rule');
select is(pg_temp.logged(), 2::bigint, 'refused overrides are not logged');

select * from finish();
rollback;

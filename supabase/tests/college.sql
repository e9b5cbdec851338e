-- College boards: whose they are, with whom they are shared, and what the programs are.
begin;
select plan(44);
delete from auth.users;
delete from public.teams;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;

-- ann and her coach cam; kit is 11 with gus as guardian; bob is another player; cal coaches another team; sue is suspended.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', true)
from (values ('ann', 'player'), ('kit', 'player'), ('bob', 'player'), ('sue', 'player'), ('cam', 'coach'), ('cal', 'coach'), ('gus', 'fan'), ('sct', 'scout')) as p (name, role);
insert into public.birth_dates (user_id, birth_date)
select u.id, (private.today() - case when u.id = pg_temp.id('kit') then interval '11 years' else interval '30 years' end)::date from public.users as u;
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kit'), pg_temp.id('gus'), 'gus@example.com', 'accepted');
insert into public.suspensions (user_id, reason) values (pg_temp.id('sue'), 'A reason');
insert into public.teams (name, created_by) values ('Owls', pg_temp.id('cam')), ('Gulls', pg_temp.id('cal'));
insert into public.team_members (team_id, user_id, role, status)
select t.id, pg_temp.id(m.who), m.role, 'active'
from (values ('Owls', 'cam', 'coach'), ('Owls', 'ann', 'player'), ('Owls', 'kit', 'player'), ('Gulls', 'cal', 'coach'), ('Gulls', 'bob', 'player')) as m (team, who, role)
join public.teams as t on t.name = m.team;

-- Programs.
select pg_temp.act('ann');
select is((select count(*) from public.programs), 942::bigint, 'there are the programs of the last two seasons');
select results_eq($$select division, count(*) from public.programs group by 1 order by 1$$, $$values (1::smallint, 305::bigint), (2::smallint, 256::bigint), (3::smallint, 381::bigint)$$, 'of three divisions');
select results_eq($$select name, state, conference, rpi_rank from public.programs where institution = 'Stanford University'$$, $$values ('Stanford', 'CA', 'ACC', 110::smallint)$$, 'with their facts');
select is((select count(*) from public.programs where rpi_rank is not null and division <> 1), 0::bigint, 'only Division I has a place by RPI');
select is((select bool_and(quantiles = (select array_agg(q order by q) from unnest(quantiles) as q)) from public.program_levels), true, 'distributions rise');
select throws_ok($$insert into public.programs (id, name, division) values ('x', 'X', 1)$$, '42501', null, 'users add no program');
set local role anon;
select throws_ok('select from public.programs', '42501', null, 'visitors read none');

-- A board of one's own.
select pg_temp.act('ann');
select lives_ok($$insert into public.college_targets (id, player_id, program_id, status, notes)
  select pg_temp.id('t01'), pg_temp.id('ann'), id, 'contacted', 'My notes' from public.programs where name = 'Stanford'$$, 'a player adds a program');
select throws_ok($$insert into public.college_targets (player_id, program_id) select pg_temp.id('ann'), id from public.programs where name = 'Stanford'$$, '23505', null, 'once');
select lives_ok($$insert into public.college_contacts (player_id, target_id, kind, person, body) values (pg_temp.id('ann'), pg_temp.id('t01'), 'email', 'Coach X', 'Hello')$$, 'a contact is logged');
select lives_ok($$insert into public.college_tasks (player_id, grade, title) values (pg_temp.id('ann'), 11, 'Send the transcript')$$, 'a task is added');
select lives_ok($$insert into public.college_plans (player_id, what_if) values (pg_temp.id('ann'), 0.34)$$, 'and a plan');
select throws_ok($$insert into public.college_targets (player_id, program_id) select pg_temp.id('bob'), id from public.programs limit 1$$, '42501', null, 'on one''s own board only');
select throws_ok($$update public.college_targets set player_id = pg_temp.id('bob')$$, '42501', null, 'a target stays on its board');

-- Others.
select pg_temp.act('bob');
select is((select count(*) from public.college_targets), 0::bigint, 'other players see nothing of it');
select throws_ok($$insert into public.college_contacts (player_id, target_id, kind) values (pg_temp.id('bob'), pg_temp.id('t01'), 'email')$$, '23503', null, 'nor log a contact on it');
update public.college_targets set notes = 'bob';
select pg_temp.act('cam');
select is((select count(*) from public.college_targets), 0::bigint, 'nor do coaches of the team, before it is shared');
select is((select count(*) from public.college_plans), 0::bigint, 'who do not learn that there is a plan');
select pg_temp.act('ann');
update public.college_plans set shared_with_coaches = true;
select pg_temp.act('cam');
select is((select notes from public.college_targets), 'My notes', 'a coach of the team reads a shared board, which bob has not changed');
select is((select count(*) from public.college_contacts), 1::bigint, 'with its contacts');
select is((select count(*) from public.college_tasks), 1::bigint, 'and tasks');
update public.college_targets set notes = 'cam';
delete from public.college_tasks;
select is((select notes from public.college_targets) || (select count(*) from public.college_tasks), 'My notes1', 'but changes nothing');
select throws_ok($$insert into public.college_tasks (player_id, grade, title) values (pg_temp.id('ann'), 11, 'Run')$$, '42501', null, 'and adds nothing');
select pg_temp.act('cal');
select is((select count(*) from public.college_targets), 0::bigint, 'a coach of another team does not read it');
select pg_temp.act('sct');
select is((select count(*) from public.college_targets), 0::bigint, 'nor does a scout');

-- Guardians.
select pg_temp.act('gus');
select lives_ok($$insert into public.college_targets (player_id, program_id) select pg_temp.id('kit'), id from public.programs where name = 'Stanford'$$, 'guardians keep the board of a ward');
select is((select count(*) from public.college_targets), 1::bigint, 'and see no other');
select pg_temp.act('kit');
select is((select count(*) from public.college_targets), 1::bigint, 'the ward sees it');
select pg_temp.act('sue');
select is((select count(*) from public.programs), 0::bigint, 'the suspended see no programs');
select throws_ok($$insert into public.college_tasks (player_id, grade, title) values (pg_temp.id('sue'), 11, 'Run')$$, '42501', null, 'and keep no board');

-- Whose boards a user keeps.
select pg_temp.act('ann');
select results_eq($$select player_id, full_name from public.kept_players()$$, $$values (pg_temp.id('ann'), 'ann')$$, 'players keep their own board');
select pg_temp.act('gus');
select results_eq($$select player_id, full_name from public.kept_players()$$, $$values (pg_temp.id('kit'), 'kit')$$, 'guardians those of their wards');
select pg_temp.act('cam');
select is((select count(*) from public.kept_players()), 0::bigint, 'coaches none of their players');
select pg_temp.act('sue');
select is((select count(*) from public.kept_players()), 0::bigint, 'the suspended none');
set local role anon;
select throws_ok('select from public.kept_players()', '42501', null, 'and visitors may not ask');

-- Recruiting periods.
reset role;
update public.users set is_admin = true where id = pg_temp.id('sct');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id('sct'), 'totp', 'verified', now(), now());
select pg_temp.act('sct');
select lives_ok($$insert into public.recruiting_periods (division, kind, starts_on, ends_on, source, checked_on) values (1, 'dead', '2026-11-09', '2026-11-12', 'NCAA calendar', '2026-11-01')$$, 'admins enter periods');
select throws_ok($$insert into public.recruiting_periods (division, kind, starts_on, ends_on, source, checked_on) values (1, 'dead', '2026-12-09', '2026-11-12', 'NCAA calendar', '2026-11-01')$$, '23514', null, 'which end after they begin');
select pg_temp.act('ann');
select is((select count(*) from public.recruiting_periods), 1::bigint, 'users read them');
select throws_ok($$insert into public.recruiting_periods (division, kind, starts_on, ends_on, source, checked_on) values (1, 'contact', '2026-12-01', '2026-12-02', 'My cousin', '2026-11-01')$$, '42501', null, 'and enter none');
delete from public.recruiting_periods;
select is((select count(*) from public.recruiting_periods), 1::bigint, 'nor remove any');

-- Limits, export and deletion.
reset role;
insert into public.college_tasks (player_id, grade, title) select pg_temp.id('bob'), 9, 'Task ' || n from generate_series(1, 200) as n;
select is((select count(*) from public.college_tasks where player_id = pg_temp.id('bob')), 200::bigint, 'two hundred tasks fit');
select throws_ok($$insert into public.college_tasks (player_id, grade, title) values (pg_temp.id('bob'), 9, 'One more')$$, 'PT409', '200 are enough here.', 'and not one more');
insert into auth.sessions (id, user_id, created_at, updated_at) values (pg_temp.id('ses'), pg_temp.id('ann'), now(), now());
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('ann'), 'role', 'authenticated', 'session_id', pg_temp.id('ses'))::text, true),
  set_config('role', 'authenticated', true);
select is(public.export_my_data() #>> '{college_contacts,0,person}', 'Coach X', 'the export has the contacts');
reset role;
delete from auth.users where id = pg_temp.id('ann');
select is((select count(*) from public.college_contacts), 0::bigint, 'and they go with the account');

select * from finish();
rollback;

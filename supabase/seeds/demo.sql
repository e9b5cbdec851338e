-- A living product for whoever looks at it for the first time: two leagues, eight teams, 120 players, their coaches, scouts
-- and fans, all invented. By `dugout start --dev`, `supabase db reset` or `dugout seed`; README.md names the accounts.
--
-- Every number comes from a hash of its name, so that two databases seeded on the same day are equal; dates count back from
-- today, so that the players do not grow old.

-- Not beside accounts of real people: the password of an admin here is in README.md.
do $$
begin
  if exists (select from auth.users where email is null or email not like '%@dugout.test') then
    raise exception 'This database has accounts that are not the seed''s.'
      using hint = 'Seeds are for development: run them on a database of your own.';
  end if;
end
$$;

-- From 0 up to 1, evenly.
create or replace function pg_temp.chance(name text) returns double precision
language sql immutable
as $$ select ('x' || left(md5('dugout ' || name), 8))::bit(32)::bigint / 4294967296.0 $$;

-- Around 0 with a deviation of 1, never beyond 3.
create or replace function pg_temp.bell(name text) returns double precision
language sql immutable
as $$ select 2 * (pg_temp.chance(name || 'a') + pg_temp.chance(name || 'b') + pg_temp.chance(name || 'c') - 1.5) $$;

create or replace function pg_temp.person(number integer) returns uuid
language sql immutable
as $$ select ('d0600000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

create or replace function pg_temp.thing(name text) returns uuid
language sql immutable
as $$ select overlay(overlay(md5('dugout ' || name) placing '4' from 13) placing '8' from 17)::uuid $$;

-- Numbers: players 1 to 120 (15 a team), coaches 201 to 208, scouts 301 to 306, fans 401 to 404, and those by name.
create temporary table cast_list on commit drop as
with first_names as (
  select string_to_array('Mateo,Liam,Caleb,Andre,Diego,Owen,Jalen,Noah,Isaac,Tyler,Marcus,Eli,Rafael,Dylan,Hudson,Kai,Luis,Brody,Emmett,Xavier,Grant,Theo,Cole,Javier,Miles,Reid,Silas,Trent,Omar,Wyatt,Desmond,Felix,Gabe,Holden,Ivan,Jonah,Kenji,Levi,Malik,Nico', ',') as names
), last_names as (
  select string_to_array('Alvarez,Brooks,Castillo,Dawson,Ellery,Fontaine,Greer,Hollis,Ibarra,Jennings,Keller,Lozano,Mercer,Novak,Okafor,Prescott,Quintero,Rhodes,Salazar,Thorne,Underhill,Vance,Whitaker,Yamada,Zeller,Abbott,Barrett,Calloway,Delgado,Easton,Finch,Garrity,Haines,Iverson,Joyner,Kincaid,Langley,Moreno,Nash,Ortega,Pruitt,Ramos,Sandoval,Tate,Ulrich,Valdez,Weston,Xiong,York,Zamora,Ashby,Beckett,Cordero,Drake,Espinoza,Fletcher,Gaines,Hobbs,Ingram,Jarvis', ',') as names
), numbered as (
  select number, first.names[1 + number % 40] || ' ' || last.names[1 + (number * 7 + number / 40) % 60] as made_up
  from first_names as first, last_names as last, lateral (
    select generate_series(1, 120) as number union all select generate_series(201, 208) union all select generate_series(301, 306)
    union all select generate_series(401, 404)
  ) as numbers
)
select number, pg_temp.person(number) as id, made_up as full_name,
  case when number < 200 then 'player' when number < 300 then 'coach' when number < 400 then 'scout' else 'fan' end as role,
  case number when 1 then 'player' when 2 then 'junior' when 201 then 'coach' when 301 then 'scout' when 401 then 'fan'
    when 403 then 'guardian' when 404 then 'suspended'
    else lower(replace(made_up, ' ', '.')) || '.' || number end || '@dugout.test' as email
from numbered
union all
select 501, pg_temp.person(501), 'Avery Admin', 'fan', 'admin@dugout.test';

-- One hash for all of them: making one takes longer than everything else here.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
select '00000000-0000-0000-0000-000000000000', c.id, 'authenticated', 'authenticated', c.email, password.hash, joined.at,
  '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('sub', c.id, 'email', c.email, 'email_verified', true, 'phone_verified', false,
    'full_name', c.full_name, 'role', c.role, 'public_profile', true, 'accept_coach_stats', c.role = 'player',
    'membership_tier', (array['BASIC', 'BASIC', 'PRO', 'ELITE'])[1 + floor(4 * pg_temp.chance('tier' || number))])
  || case when c.role = 'coach' then jsonb_build_object('display_badges', true,
      'years_coaching', 2 + c.number % 23, 'years_current_team', c.number % 6, 'months_current_team', c.number % 12,
      'years_current_league', c.number % 9, 'months_current_league', c.number % 11) else '{}' end,
  joined.at, joined.at, '', '', '', ''
from cast_list as c,
  (select extensions.crypt('dugout-demo', extensions.gen_salt('bf', 10)) as hash) as password,
  lateral (select date_trunc('day', now()) - interval '1 day' * floor(1 + 90 * pg_temp.chance('joined' || number))
    + interval '1 minute' * floor(1200 * pg_temp.chance('minute' || number)) as at) as joined
on conflict do nothing;

insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select pg_temp.thing('identity' || u.id), u.id::text, u.id,
  jsonb_build_object('sub', u.id, 'email', u.email, 'email_verified', true, 'phone_verified', false), 'email',
  u.created_at, u.created_at, u.created_at
from auth.users as u join cast_list as c on c.id = u.id
on conflict do nothing;

update public.users set is_admin = true where id = pg_temp.person(501) and not is_admin;

-- Leagues and teams.
insert into public.leagues (id, name, level, state) values
  (pg_temp.thing('league 0'), 'Cascade Valley League', 'High school', 'OR'),
  (pg_temp.thing('league 1'), 'Prairie Sky 16U', '16U', 'NE')
on conflict do nothing;

create temporary table teams_list on commit drop as
select team, pg_temp.thing('team ' || team) as id, team / 4 as league,
  (array['Cedar Falls Herons', 'Juniper Ridge Miners', 'Alder Creek Pilots', 'Harbor Point Anchors',
    'Platte River Cranes', 'Sandhill Mustangs', 'Elkhorn Railmen', 'Wahoo Thunder'])[team + 1] as name,
  (array['Cedar Falls', 'Juniper Ridge', 'Alder Creek', 'Harbor Point', 'Platte River', 'Sandhill', 'Elkhorn', 'Wahoo'])[team + 1] as city,
  case when team < 4 then 'OR' else 'NE' end as state
from generate_series(0, 7) as team;

insert into public.teams (id, league_id, name, city, state, created_by)
select t.id, pg_temp.thing('league ' || t.league), t.name, t.city, t.state, pg_temp.person(201 + t.team) from teams_list as t
on conflict do nothing;

insert into public.team_members (team_id, user_id, role, status, jersey)
select t.id, c.id, c.role, 'active', case when c.role = 'player' then (1 + (c.number * 7) % 15 + 16 * (c.number % 3))::text end
from cast_list as c join teams_list as t on t.team = case when c.role = 'player' then (c.number - 1) / 15 else c.number - 201 end
where c.role in ('player', 'coach') and c.number <> 2
on conflict do nothing;
-- Asks to be let in, with the guardian's yes.
insert into public.team_members (team_id, user_id, role, status, approved_at)
select id, pg_temp.person(2), 'player', 'asked', now() from teams_list where team = 0 on conflict do nothing;

insert into private.coach_verifications (coach_id, verified_by)
select c.id, pg_temp.person(501) from cast_list as c where c.role = 'coach'
on conflict do nothing;

update public.coaches as k
set team_name = t.name, league = l.name, bio = 'Teaches the game one pitch at a time.',
    certifications = array['First aid and CPR', 'Pitching safety course']
from cast_list as c, teams_list as t, public.leagues as l
where k.user_id = c.id and t.team = c.number - 201 and l.id = pg_temp.thing('league ' || t.league) and k.team_name = '';

update public.scouts as s
set org = (array['Northwest Prospects', 'Plains Recruiting Desk', 'Timber State University'])[1 + c.number % 3],
    regions = case when c.number % 2 = 0 then array['NE', 'KS', 'IA'] else array['OR', 'WA', 'ID'] end,
    bio = 'Sees about a hundred games a year.',
    verified_at = case when c.number <> 306 then now() end,
    verified_by = case when c.number <> 306 then pg_temp.person(501) end
from cast_list as c where s.user_id = c.id and s.org = '';

-- Players: what they can (talent), how far they have grown (years), where they play.
create temporary table players_list on commit drop as
select c.number, c.id, t.team, t.name as team_name, t.city, t.state, l.name as league_name,
  pg_temp.bell('talent' || c.number) as talent,
  case when c.number = 2 then 12 else 14 + (c.number * 3 + c.number / 15) % 4 - t.league end as age,
  (array['P', 'P', 'P', 'P', 'C', 'C', '1B', '2B', '3B', 'SS', 'SS', 'LF', 'CF', 'RF', 'OF'])[1 + (c.number + 8) % 15] as plays
from cast_list as c join teams_list as t on t.team = (c.number - 1) / 15
join public.leagues as l on l.id = pg_temp.thing('league ' || t.league)
where c.role = 'player';

insert into public.birth_dates (user_id, birth_date)
select c.id, ((now() at time zone 'utc')::date
  - make_interval(years => coalesce(p.age, 26 + c.number % 30)) - make_interval(days => floor(360 * pg_temp.chance('born' || c.number))::integer))::date
from cast_list as c left join players_list as p on p.id = c.id
on conflict do nothing;

-- From 13 on all of them have switched their profile on. The youngest is seen by the team, because a parent's account has
-- said yes.
update public.users as u set public_profile = true
from players_list as p where p.id = u.id and p.age >= 13 and not u.public_profile;
insert into public.guardianships (id, ward_id, guardian_id, invited_email, status, answered_at)
values (pg_temp.thing('guardianship 2'), pg_temp.person(2), pg_temp.person(403), 'guardian@dugout.test', 'accepted', now())
on conflict do nothing;

update public.players as w
set bats = case when pg_temp.chance('bats' || p.number) < 0.62 then 'R' when pg_temp.chance('bats' || p.number) < 0.92 then 'L' else 'S' end,
    throws = case when pg_temp.chance('throws' || p.number) < 0.76 or p.plays in ('C', '2B', '3B', 'SS') then 'R' else 'L' end,
    positions = array[p.plays] || case
      when p.number = 1 then array['P'] when p.plays = 'P' and p.number % 2 = 0 then array['OF'] when p.plays in ('2B', 'SS') then array['3B']
      when p.plays = 'CF' then array['P'] else array[]::text[] end,
    height_in = round((66.5 + 1.1 * (p.age - 14) + 1.9 * pg_temp.bell('height' || p.number)
      + case when p.plays in ('P', '1B') then 2 else 0 end)::numeric * 2) / 2,
    weight_lb = 138 + 9 * (p.age - 14) + round(11 * pg_temp.bell('weight' || p.number)),
    grad_year = extract(year from now())::integer + 18 - p.age,
    hometown = p.city, state = p.state, jersey = m.jersey,
    bio = case when p.number % 3 = 1 then 'Works hard, runs everything out, keeps the dugout loud.' end
from players_list as p left join public.team_members as m on m.user_id = p.id and m.status = 'active'
where w.user_id = p.id and w.grad_year is null;

insert into public.player_academics (user_id, school, gpa)
select p.id, p.city || case when p.age < 14 then ' Middle School' else ' High School' end,
  case when pg_temp.chance('gpa' || p.number) < 0.7
    then round((3.2 + 0.35 * pg_temp.bell('grades' || p.number))::numeric, 2) end
from players_list as p
on conflict do nothing;

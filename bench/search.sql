-- :players people in a database made for it, past the triggers of sign-up: bench/search.sh.
\set ON_ERROR_STOP on
set client_min_messages = warning;
alter table public.users drop constraint users_id_fkey;
alter table public.users disable trigger user;
alter table public.profiles disable trigger user;
alter table public.players disable trigger user;
alter table public.player_numbers disable trigger user;
alter table public.batting_lines disable trigger user;
alter table public.team_members disable trigger user;
select setseed(0.5);

create temporary table first_names as
select row_number() over () as n, name from unnest(string_to_array('Mateo,Liam,Caleb,Andre,Diego,Owen,Jalen,Noah,Isaac,Tyler,Marcus,Eli,Rafael,Dylan,Hudson,Kai,Luis,Brody,Emmett,Xavier,Grant,Theo,Cole,Javier,Miles,Reid,Silas,Trent,Omar,Wyatt,Desmond,Felix,Gabe,Holden,Ivan,Jonah,Kenji,Levi,Malik,Nico,José,Ángel,Bryce,Carter,Damian,Ezra,Finn,Gavin,Hector,Ignacio,Jaxon,Kyle,Landon,Mason,Nolan,Oscar,Parker,Quinn,Rowan,Santiago,Tomás,Uriel,Victor,Wesley,Yusuf,Zane,Adrian,Beau,Colton,Dominic,Elijah,Franklin,George,Henry,Israel,James,Kevin,Logan,Michael,Nathan,Oliver,Patrick,Ryan,Samuel,Thomas,Vincent,William,Zachary', ',')) as name;
create temporary table last_names as
select row_number() over (order by md5(a || b)) as n, initcap(a || b) as name
from unnest(string_to_array('al,an,bar,ber,bran,cal,cas,cor,dal,del,dun,el,es,far,fer,gar,gon,gran,har,hen,hol,in,jen,kel,kin,lan,lor,mar,mor,nel,nor,ol,or,par,per,quin,ram,rod,ros,sal,san,ser,stan,tor,tur,val,var,ver,wal,win', ',')) as a,
  unnest(string_to_array('ado,ales,ano,berg,by,castle,den,don,edge,ell,er,es,field,ford,gado,ger,guez,ham,ings,ington,ins,land,ley,lin,lock,man,mond,nandez,ner,ni,o,ona,os,ridge,rique,son,stein,ter,ton,well', ',')) as b;

-- A few names are frequent, most are rare.
create temporary table people as
with drawn as materialized (
  select n, 1 + floor(88 * random() ^ 2)::integer as given, 1 + floor(2000 * random() ^ 2)::integer as family,
    random() as a, random() as b, random() as c
  from generate_series(1, :players) as n
)
select d.n, gen_random_uuid() as id, f.name || ' ' || l.name as name, d.a, d.b, d.c
from drawn as d join first_names as f on f.n = d.given join last_names as l on l.n = d.family;

insert into public.users (id, email, full_name, role, user_type, public_profile)
select id, n || '@bench.test', name, case when n % 50 = 0 then 'coach' else 'player' end, 'player', n % 20 <> 0 from people;
insert into public.birth_dates (user_id, birth_date)
select id, (now() - case when n % 50 = 0 then interval '35 years' else interval '13 years' end - (2500 * c) * interval '1 day')::date from people;
insert into public.profiles (id, full_name, role, public_profile, shown_from, created_at)
select id, name, case when n % 50 = 0 then 'coach' else 'player' end, n % 20 <> 0, '2020-01-01', now() from people
on conflict (id) do update set full_name = excluded.full_name, public_profile = excluded.public_profile, shown_from = excluded.shown_from;
insert into public.players (user_id, positions, grad_year, state, bats, throws, height_in)
select id, case when a < 0.3 then array['P'] when a < 0.4 then array['C'] when a < 0.5 then array['SS'] when a < 0.7 then array['CF', 'OF'] else array['2B', '3B'] end,
  2027 + floor(6 * b)::integer, (array['OR', 'WA', 'CA', 'TX', 'FL', 'NE', 'KS', 'OH', 'NY', 'GA'])[1 + floor(10 * c * c)::integer],
  case when b < 0.6 then 'R' when b < 0.9 then 'L' else 'S' end, case when c < 0.75 then 'R' else 'L' end, 64 + floor(24 * a * c) / 2
from people where n % 50 <> 0
on conflict (user_id) do nothing;
insert into public.player_numbers (player_id, metric, value, source, verified, taken_at)
select p.id, k.metric, round((k.least + (k.most - k.least) * random())::numeric, k.digits), 'event', (p.n + k.place) % 3 = 0, '2026-06-01'
from people as p, (values ('sixty_yard_dash', 6.4, 8.5, 2, 1), ('exit_velocity_max', 70, 102, 1, 2), ('bat_speed', 50, 80, 1, 3),
  ('fastball_max', 65, 96, 1, 4), ('infield_velocity', 60, 92, 1, 5)) as k (metric, least, most, digits, place)
where p.n % 50 <> 0;
insert into public.batting_lines (player_id, season, g, pa, ab, h, doubles, bb, so)
select p.id, season, 30, 130, 110, 20 + floor(30 * random())::integer, 5, 15, 20
from people as p, generate_series(2025, 2026) as season where p.n % 50 <> 0 and p.n % 2 = 0;

insert into public.teams (id, name, city, state)
select gen_random_uuid(), (select name from last_names where last_names.n = 1 + (t * 7) % 1900) || ' ' ||
  (array['Herons', 'Miners', 'Pilots', 'Anchors', 'Cranes', 'Mustangs', 'Railmen', 'Thunder', 'Owls', 'Suns'])[1 + t % 10], 'Bench', 'OR'
from generate_series(1, :players / 25) as t;
insert into public.team_members (team_id, user_id, role, status)
select t.id, p.id, 'player', 'active'
from (select id, row_number() over () as n from public.teams) as t join people as p on p.n % (:players / 25) + 1 = t.n and p.n % 50 <> 0;
vacuum analyze private.search_people, public.profiles, public.players, public.player_numbers, public.teams, public.team_members, public.batting_lines;
select private.index_people(array_agg(id)) from people;
vacuum analyze private.search_people, public.profiles, public.players, public.player_numbers, public.teams, public.team_members, public.batting_lines;

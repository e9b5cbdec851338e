-- Sixty mistyped queries: twelve kinds of mistake with five names each, written without looking at how the search works. At least
-- 55 of them must find the intended player first.
begin;
select plan(4);
delete from auth.users;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

create table pg_temp.asked (rule text, query text, meant text);
insert into pg_temp.asked values
  ('a letter is missing', 'mateo whitker', 'Mateo Whitaker'), ('a letter is missing', 'brndon castellano', 'Brandon Castellano'),
  ('a letter is missing', 'desmond okfor', 'Desmond Okafor'), ('a letter is missing', 'hudson kowlski', 'Hudson Kowalski'),
  ('a letter is missing', 'rafael dominguz', 'Rafael Dominguez'),
  ('a letter is doubled', 'liam abernathhy', 'Liam Abernathy'), ('a letter is doubled', 'tyller sorensen', 'Tyler Sorensen'),
  ('a letter is doubled', 'owen mccallister', 'Owen McAllister'), ('a letter is doubled', 'xavier montoyaa', 'Xavier Montoya'),
  ('a letter is doubled', 'eli vannderberg', 'Eli Vanderberg'),
  ('two letters are exchanged', 'caleb thronton', 'Caleb Thornton'), ('two letters are exchanged', 'jalen brokos', 'Jalen Brooks'),
  ('two letters are exchanged', 'noah fredericsk', 'Noah Fredericks'), ('two letters are exchanged', 'isaac yamaomto', 'Isaac Yamamoto'),
  ('two letters are exchanged', 'dieog salazar', 'Diego Salazar'),
  ('the key beside', 'marcus hollowsy', 'Marcus Holloway'), ('the key beside', 'dylan prescort', 'Dylan Prescott'),
  ('the key beside', 'emmett strickkand', 'Emmett Strickland'), ('the key beside', 'kai nakamurs', 'Kai Nakamura'),
  ('the key beside', 'trent gallsgher', 'Trent Gallagher'),
  ('another vowel', 'silas underwoud', 'Silas Underwood'), ('another vowel', 'grant petterson', 'Grant Patterson'),
  ('another vowel', 'omar haddid', 'Omar Haddad'), ('another vowel', 'wyett remington', 'Wyatt Remington'),
  ('another vowel', 'felix lindquest', 'Felix Lindquist'),
  ('without accents and signs', 'jose ibanez', 'José Ibáñez'), ('without accents and signs', 'angel nunez', 'Ángel Núñez'),
  ('without accents and signs', 'oconnor', 'Sean O''Connor'), ('without accents and signs', 'jp stclair', 'J.P. St. Clair'),
  ('without accents and signs', 'tomas munoz', 'Tomás Muñoz'),
  ('the family name first', 'blackwood nolan', 'Nolan Blackwood'), ('the family name first', 'fitzgerald miles', 'Miles Fitzgerald'),
  ('the family name first', 'oyelaran javier', 'Javier Oyelaran'), ('the family name first', 'pemberton reid', 'Reid Pemberton'),
  ('the family name first', 'quintana luis', 'Luis Quintana'),
  ('the family name alone, mistyped', 'zimmermann', 'Cole Zimmerman'), ('the family name alone, mistyped', 'esterbrok', 'Theo Esterbrook'),
  ('the family name alone, mistyped', 'villanueba', 'Andre Villanueva'), ('the family name alone, mistyped', 'wojciehowski', 'Brody Wojciechowski'),
  ('the family name alone, mistyped', 'delacruz', 'Gabe De La Cruz'),
  ('a short given name and a mistyped family name', 'ben harringtn', 'Benjamin Harrington'),
  ('a short given name and a mistyped family name', 'nick carmicheal', 'Nickolas Carmichael'),
  ('a short given name and a mistyped family name', 'alex rodrigeuz-vega', 'Alexander Rodriguez-Vega'),
  ('a short given name and a mistyped family name', 'chris ellingwod', 'Christopher Ellingwood'),
  ('a short given name and a mistyped family name', 'zach muelller', 'Zachary Mueller'),
  ('as it sounds', 'filip kristensen', 'Philip Christensen'), ('as it sounds', 'jeffery steevens', 'Jeffrey Stevens'),
  ('as it sounds', 'shawn reinhart', 'Shaun Reinhardt'), ('as it sounds', 'micheal shneider', 'Michael Schneider'),
  ('as it sounds', 'kristian novack', 'Christian Novak'),
  ('without the space', 'hectorbeaumont', 'Hector Beaumont'), ('without the space', 'ivanpetrov', 'Ivan Petrov'),
  ('without the space', 'levisandoval', 'Levi Sandoval'), ('without the space', 'quinnmassey', 'Quinn Massey'),
  ('without the space', 'jonahlarkin', 'Jonah Larkin'),
  ('two mistakes', 'malk delgaod', 'Malik Delgado'), ('two mistakes', 'vincnet acheta', 'Vincent Archuleta'),
  ('two mistakes', 'samule witherspon', 'Samuel Witherspoon'), ('two mistakes', 'dominc ferarro', 'Dominic Ferraro'),
  ('two mistakes', 'oskar lindstorm', 'Oscar Lindstrom');

-- The intended players, and 900 others whose names share parts with theirs.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n::integer), n || '@example.com', jsonb_build_object('full_name', name, 'role', 'player', 'public_profile', true)
from (
  select name, row_number() over (order by name) as n from (
    select meant from pg_temp.asked
    union
    select given || ' ' || family
    from unnest(array['Mateo', 'Brandon', 'Liam', 'Tyler', 'Caleb', 'Jalen', 'Marcus', 'Dylan', 'Silas', 'Grant', 'Jose', 'Angel', 'Nolan', 'Miles', 'Cole',
        'Theo', 'Benjamin', 'Nicholas', 'Philip', 'Michael', 'Hector', 'Ivan', 'Malik', 'Vincent', 'Samuel', 'Oscar', 'Sean', 'Wyatt', 'Luis', 'Reid']) as given,
      unnest(array['Whitman', 'Castillo', 'Oakes', 'Kowal', 'Dominic', 'Abbott', 'Sorrell', 'McAlister', 'Montes', 'Vanden', 'Thorne', 'Brock', 'Frederick',
        'Yamada', 'Salas', 'Hollis', 'Prescod', 'Strick', 'Nakano', 'Gallardo', 'Wood', 'Peters', 'Haddock', 'Remy', 'Lind', 'Ibarra', 'Nunes', 'Connor',
        'Stevenson', 'Lindstedt']) as family) as names (name)
) as numbered;
insert into public.birth_dates (user_id, birth_date) select id, '2000-01-01' from public.users;

do $$ begin perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(1), 'role', 'authenticated')::text, true); end $$;
create table pg_temp.found as
select a.*, public.search_players(a.query) #>> '{players,0,name}' as first,
  (select s.name from public.search_suggest(a.query) as s where s.kind = 'player' limit 1) as suggested
from pg_temp.asked as a;
select is((select count(*) from pg_temp.asked), 60::bigint, 'there are sixty queries');
select is((select count(*) from private.search_people), 960::bigint, 'among 960 players');
select cmp_ok((select count(*) from pg_temp.found where first = meant), '>=', 55::bigint,
  'the page finds 55 first; it misses: ' || coalesce((select string_agg(format('%s (%s)', query, coalesce(first, 'nobody')), ', ') from pg_temp.found where first is distinct from meant), ''));
select cmp_ok((select count(*) from pg_temp.found where suggested = meant), '>=', 55::bigint,
  'so does the box; it misses: ' || coalesce((select string_agg(format('%s (%s)', query, coalesce(suggested, 'nobody')), ', ') from pg_temp.found where suggested is distinct from meant), ''));

select * from finish();
rollback;

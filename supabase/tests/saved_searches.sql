-- Saved searches: whose they are, their limits, and what the bell says of them.
begin;
select plan(35);
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
-- What the bells were told, as "owner players".
create table pg_temp.told (said text);
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language sql
as $$ insert into pg_temp.told select right(topic, 2) || ' ' || concat_ws(' ', payload ->> 'kind', payload ->> 'players') $$;
-- A day later.
create function pg_temp.next_run() returns integer
language plpgsql security definer
as $$
begin
  update public.saved_searches set checked_at = checked_at - interval '1 day';
  delete from private.notified;
  return private.run_saved_searches();
end
$$;

-- 10 and 11 search. 1 to 3 are public shortstops, 4 is private, 5 is 12.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Player ' || n, 'role', case when n < 10 then 'player' else 'scout' end, 'public_profile', true)
from unnest(array[1, 2, 3, 4, 5, 10, 11, 12]) as n;
insert into public.birth_dates (user_id, birth_date)
select id, case when id = pg_temp.id(5) then (private.today() - interval '12 years')::date else '2000-01-01' end from public.users;
update public.users set public_profile = false where id = pg_temp.id(4);
update public.players set positions = array['SS'], state = 'OR' where user_id in (pg_temp.id(1), pg_temp.id(4), pg_temp.id(5));

select pg_temp.act(10);
select lives_ok($$insert into public.saved_searches (name, filters) values ('Shortstops', '{"position": ["SS"]}')$$, 'a search is saved');
select throws_ok($$insert into public.saved_searches (name) values ('Everybody')$$, 'PT400', 'Save a search with a name or a filter.', 'but not one for everybody');
select throws_ok($$insert into public.saved_searches (name, filters) values ('x', '{"school": "x"}')$$, 'PT400', null, 'nor one with an unknown filter');
select throws_ok($$insert into public.saved_searches (name, filters) values ('x', '{"class": ["2027) or (true"]}')$$, '22P02', null, 'nor SQL');
select throws_ok($$insert into public.saved_searches (name, query) values ('Shortstops', 'play')$$, '23505', null, 'a name is given once');
select throws_ok($$insert into public.saved_searches (owner_id, name, query) values (pg_temp.id(11), 'x', 'play')$$, '42501', null, 'others'' are not written');
select throws_ok($$update public.saved_searches set filters = '{}'$$, '42501', null, 'what it finds does not change');
select throws_ok($$select private.run_saved_searches()$$, '42501', null, 'users do not run them');
select pg_temp.act(11);
select is((select count(*) from public.saved_searches), 0::bigint, 'others'' are not read');
select lives_ok($$insert into public.saved_searches (name, query, notify) values ('Quiet', 'player', false)$$, 'one without notifications');

reset role;
select is((select count(*) from private.search_matches as m join public.saved_searches as s on s.id = m.search_id where s.name = 'Shortstops'), 1::bigint, 'private players and children are not even remembered');
select is(private.run_saved_searches(), 0, 'a search that has just run is not due');
select is(pg_temp.next_run(), 0, 'where nobody is new, nobody is told');
update public.players set positions = array['SS'] where user_id in (pg_temp.id(2), pg_temp.id(3));
select is(pg_temp.next_run(), 1, 'the owner is told of two new ones');
select results_eq('select said from pg_temp.told', $$values ('10 search_matched 2')$$, 'by their number alone');
select results_eq($$select user_id, subject, split_part(body, E'\n', 1), link from mail.queue$$,
  $$values (pg_temp.id(10), 'New players in your saved searches', 'Shortstops: 2 new players', '/search')$$, 'and by a mail, in which nobody is named');
delete from mail.queue;
select is(pg_temp.next_run(), 0, 'only once');
update public.users set public_profile = false where id = pg_temp.id(2);
select is(pg_temp.next_run(), 0, 'nobody is told of who is hidden');
update public.users set public_profile = true where id = pg_temp.id(2);
select is(pg_temp.next_run(), 0, 'who was hidden for a while is not new');
delete from pg_temp.told;
update public.users set public_profile = true where id = pg_temp.id(4);
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id(10), 'recruiting', 'app', false);
select pg_temp.next_run();
select results_eq($$select count(*) from private.search_matches where player_id = pg_temp.id(4)$$, 'values (1::bigint)', 'a search runs without the bell, too');
select is_empty('select said from pg_temp.told', 'who has switched recruiting off is not told');
select is((select count(*) from mail.queue), 1::bigint, 'the mail has a switch of its own');
delete from mail.queue;
delete from public.notification_preferences;
update public.players set positions = array['P'] where user_id = pg_temp.id(1);
insert into public.suspensions (user_id, reason) values (pg_temp.id(10), 'A reason');
insert into auth.users (id, email, raw_user_meta_data) values (pg_temp.id(6), '6@example.com', '{"full_name": "Player 6", "role": "player", "public_profile": true}');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id(6), '2000-01-01');
update public.players set positions = array['SS'] where user_id = pg_temp.id(6);
select is(pg_temp.next_run(), 0, 'nor is who is suspended');
update public.suspensions set lifted_at = now();
select is(pg_temp.next_run(), 1, 'but after it');
select is(current_setting('request.jwt.claims', true)::jsonb ->> 'sub', pg_temp.id(11)::text, 'the run leaves the claims as they were');

-- One that cannot be run any more.
alter table public.saved_searches disable trigger user;
insert into public.saved_searches (owner_id, name, filters, checked_at) values (pg_temp.id(11), 'Broken', '{"school": "x"}', now());
alter table public.saved_searches enable trigger user;
update public.players set positions = array['SS'] where user_id = pg_temp.id(1);
update public.players set positions = array['P'] where user_id = pg_temp.id(6);
delete from private.search_matches where player_id = pg_temp.id(1);
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id(10), 'recruiting', 'email', false);
delete from mail.queue;
select is(pg_temp.next_run(), 1, 'one that fails does not hold up the others');
select is((select count(*) from mail.queue), 0::bigint, 'who has switched the mails off gets none');
select is((select checked_at > now() - interval '1 hour' from public.saved_searches where name = 'Broken'), true, 'and waits for its next day');

-- A search that finds more than a thousand: of those whom it does not remember nobody knows whether they are new.
delete from public.saved_searches;
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Catcher ' || n, 'role', 'player', 'public_profile', true)
from generate_series(1001, 2001) as n;
insert into public.birth_dates (user_id, birth_date) select pg_temp.id(n), '2000-01-01' from generate_series(1001, 2001) as n;
update public.players set positions = array['C'] where user_id >= pg_temp.id(1001);
select pg_temp.act(11);
insert into public.saved_searches (name, filters) values ('Catchers', '{"position": ["C"]}');
reset role;
delete from private.search_matches where player_id >= pg_temp.id(1990);
delete from pg_temp.told;
select is(pg_temp.next_run(), 0, 'a search that finds more than a thousand notifies nobody');
update public.players set positions = array['P'] where user_id in (pg_temp.id(1001), pg_temp.id(1002));
delete from private.search_matches where player_id >= pg_temp.id(1990);
select is(pg_temp.next_run(), 0, 'nor when it finds fewer for the first time');
update public.players set positions = array['C'] where user_id = pg_temp.id(1);
select is(pg_temp.next_run(), 1, 'then it does');
select results_eq('select said from pg_temp.told', $$values ('11 search_matched 1')$$, 'of the new one');

select pg_temp.act(12);
insert into public.saved_searches (name, query) select 'Search ' || n, 'player' from generate_series(1, 20) as n;
select throws_ok($$insert into public.saved_searches (name, query) values ('One more', 'player')$$, 'PT409', '20 saved searches are enough.', 'there is a limit');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(12), 'role', 'authenticated', 'client_id', 'other')::text, true);
select is((select count(*) from public.saved_searches), 0::bigint, 'other apps read none');
reset role;
delete from auth.users where id = pg_temp.id(12);
select is((select count(*) from public.saved_searches where owner_id = pg_temp.id(12)), 0::bigint, 'they go with the account');

select * from finish();
rollback;

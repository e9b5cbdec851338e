-- Saved searches: access, limits and notifications.
begin;
select plan(36);
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
-- The notifications that were sent, as "owner kind players".
create table pg_temp.told (said text);
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language sql
as $$ insert into pg_temp.told select right(topic, 2) || ' ' || concat_ws(' ', payload ->> 'kind', payload ->> 'players') $$;
-- The mails that were queued: a stand-in for dugout_mail, which not every server has.
create table pg_temp.mailed (user_id uuid, subject text, body text, link text);
drop extension if exists dugout_mail cascade;
create schema mail;
create function mail.send(user_id uuid, subject text, body text, link text, label text) returns bigint
language sql
as $$ insert into pg_temp.mailed values (user_id, subject, body, link) returning 1::bigint $$;
-- Runs the searches as if a day had passed.
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
select lives_ok($$insert into public.saved_searches (name, filters) values ('Shortstops', '{"position": ["SS"]}')$$, 'a scout saves a search');
select throws_ok($$insert into public.saved_searches (name) values ('Everybody')$$, 'PT400', 'Save a search with a name or a filter.', 'a search without a name and filters is refused');
select throws_ok($$insert into public.saved_searches (name, query) values ('a' || repeat(' ', 10000), 'play')$$, '23514', null, 'a long name is refused, even if it is blank at its end');
select throws_ok($$insert into public.saved_searches (name, filters) values ('x', '{"school": "x"}')$$, 'PT400', null, 'an unknown filter is refused');
select throws_ok($$insert into public.saved_searches (name, filters) values ('x', '{"class": ["2027) or (true"]}')$$, '22P02', null, 'SQL in a filter is refused');
select throws_ok($$insert into public.saved_searches (name, query) values ('Shortstops', 'play')$$, '23505', null, 'a user cannot use a name twice');
select throws_ok($$insert into public.saved_searches (owner_id, name, query) values (pg_temp.id(11), 'x', 'play')$$, '42501', null, 'nobody saves a search for another user');
select throws_ok($$update public.saved_searches set filters = '{}'$$, '42501', null, 'the filters of a saved search cannot be changed');
select throws_ok($$select private.run_saved_searches()$$, '42501', null, 'users cannot run the saved searches');
select pg_temp.act(11);
select is((select count(*) from public.saved_searches), 0::bigint, 'nobody reads another user''s searches');
select lives_ok($$insert into public.saved_searches (name, query, notify) values ('Quiet', 'player', false)$$, 'a search can be saved without notifications');

reset role;
select is((select count(*) from private.search_matches as m join public.saved_searches as s on s.id = m.search_id where s.name = 'Shortstops'), 1::bigint, 'private players and children are not even remembered');
select is(private.run_saved_searches(), 0, 'a search that has just run is not due');
select is(pg_temp.next_run(), 0, 'without new players there is no notification');
update public.players set positions = array['SS'] where user_id in (pg_temp.id(2), pg_temp.id(3));
select is(pg_temp.next_run(), 1, 'the owner is notified of two new players');
select results_eq('select said from pg_temp.told', $$values ('10 search_matched 2')$$, 'the notification has only the number of players');
select results_eq($$select user_id, subject, split_part(body, E'\n', 1), link from pg_temp.mailed$$,
  $$values (pg_temp.id(10), 'New players in your saved searches', 'Shortstops: 2 new players', '/search')$$, 'the mail has only the number, too');
delete from pg_temp.mailed;
select is(pg_temp.next_run(), 0, 'the same players are not reported again');
update public.users set public_profile = false where id = pg_temp.id(2);
select is(pg_temp.next_run(), 0, 'a hidden player causes no notification');
update public.users set public_profile = true where id = pg_temp.id(2);
select is(pg_temp.next_run(), 0, 'a player who is shown again is not new');
delete from pg_temp.told;
update public.users set public_profile = true where id = pg_temp.id(4);
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id(10), 'recruiting', 'app', false);
select pg_temp.next_run();
select results_eq($$select count(*) from private.search_matches where player_id = pg_temp.id(4)$$, 'values (1::bigint)', 'a search still runs when its topic is switched off');
select is_empty('select said from pg_temp.told', 'no notification is sent when the topic recruiting is switched off');
select is((select count(*) from pg_temp.mailed), 1::bigint, 'mails have a switch of their own');
delete from pg_temp.mailed;
delete from public.notification_preferences;
update public.players set positions = array['P'] where user_id = pg_temp.id(1);
insert into public.suspensions (user_id, reason) values (pg_temp.id(10), 'A reason');
insert into auth.users (id, email, raw_user_meta_data) values (pg_temp.id(6), '6@example.com', '{"full_name": "Player 6", "role": "player", "public_profile": true}');
insert into public.birth_dates (user_id, birth_date) values (pg_temp.id(6), '2000-01-01');
update public.players set positions = array['SS'] where user_id = pg_temp.id(6);
select is(pg_temp.next_run(), 0, 'the searches of a suspended user do not run');
update public.suspensions set lifted_at = now();
select is(pg_temp.next_run(), 1, 'they run again after the suspension');
select is(current_setting('request.jwt.claims', true)::jsonb ->> 'sub', pg_temp.id(11)::text, 'the run leaves the claims as they were');

-- A search with a filter that is no longer valid.
alter table public.saved_searches disable trigger user;
insert into public.saved_searches (owner_id, name, filters, checked_at) values (pg_temp.id(11), 'Broken', '{"school": "x"}', now());
alter table public.saved_searches enable trigger user;
update public.players set positions = array['SS'] where user_id = pg_temp.id(1);
update public.players set positions = array['P'] where user_id = pg_temp.id(6);
delete from private.search_matches where player_id = pg_temp.id(1);
delete from pg_temp.mailed;
insert into public.notification_preferences (user_id, topic, channel, enabled) values (pg_temp.id(10), 'recruiting', 'email', false);
select is(pg_temp.next_run(), 1, 'a search that fails does not block the others');
select is((select count(*) from pg_temp.mailed), 0::bigint, 'no mail is sent when its switch is off');
select is((select checked_at > now() - interval '1 hour' from public.saved_searches where name = 'Broken'), true, 'a failed search runs again a day later');

-- A search that finds more than a thousand players: matches that were not recorded may be old or new.
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
select is(pg_temp.next_run(), 0, 'the first run that finds at most a thousand notifies nobody');
-- From here on no mail can be queued.
create or replace function mail.send(user_id uuid, subject text, body text, link text, label text) returns bigint
language plpgsql
as $$ begin raise exception 'no room'; end $$;
update public.players set positions = array['C'] where user_id = pg_temp.id(1);
select is(pg_temp.next_run(), 1, 'the next run notifies the owner');
select results_eq('select said from pg_temp.told', $$values ('11 search_matched 1')$$, 'only the new player counts');

select pg_temp.act(12);
insert into public.saved_searches (name, query) select 'Search ' || n, 'player' from generate_series(1, 20) as n;
select throws_ok($$insert into public.saved_searches (name, query) values ('One more', 'player')$$, 'PT409', '20 saved searches are enough.', 'the twenty-first search is refused');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(12), 'role', 'authenticated', 'client_id', 'other')::text, true);
select is((select count(*) from public.saved_searches), 0::bigint, 'other apps read no saved searches');
reset role;
delete from auth.users where id = pg_temp.id(12);
select is((select count(*) from public.saved_searches where owner_id = pg_temp.id(12)), 0::bigint, 'deleting the account deletes its searches');

select * from finish();
rollback;

-- The limits of private lists, at each limit and one above it.
begin;
select plan(17);
delete from auth.users;
create table realtime.messages_of_this_test partition of realtime.messages default;

create function pg_temp.id(n integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
create function pg_temp.act(n integer) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(n), 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
-- 1 and 2 are scouts, 3 to 6 public players.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Nr ' || n, 'role', case when n < 3 then 'scout' else 'player' end, 'public_profile', true)
from generate_series(1, 6) as n;
insert into public.birth_dates (user_id, birth_date) select pg_temp.id(n), private.today() - make_interval(years => 30) from generate_series(1, 6) as n;
insert into public.watchlists (id, owner_id, name) values (pg_temp.id(20), pg_temp.id(2), 'Of the other scout');
insert into public.watchlist_players (watchlist_id, player_id) select pg_temp.id(20), pg_temp.id(n) from generate_series(3, 5) as n;

select results_eq($$select list, private.list_limit(list) from unnest(array['follows', 'watchlists', 'watchlist_players', 'scout_notes']) as list$$,
  $$values ('follows', 2000), ('watchlists', 50), ('watchlist_players', 500), ('scout_notes', 5000)$$, 'the limits');
-- Three of each, to be there sooner.
create or replace function private.list_limit(list text) returns integer
language sql immutable
set search_path = ''
as $$ select 3 $$;

select pg_temp.act(1);
select lives_ok($$insert into public.follows (followed_id) select pg_temp.id(n) from generate_series(3, 5) as n$$, 'a user follows as many as the limit');
select throws_ok($$insert into public.follows (followed_id) values (pg_temp.id(6))$$, 'PT409', 'You follow 3 people.', 'and no more');
select throws_ok($$insert into public.follows (followed_id) values (pg_temp.id(5))$$, '23505', null, 'following somebody again is refused as before');
select lives_ok($$delete from public.follows where followed_id = pg_temp.id(3)$$, 'after unfollowing somebody');
select lives_ok($$insert into public.follows (followed_id) values (pg_temp.id(6))$$, 'there is room again');
select throws_ok($$insert into public.follows (follower_id, followed_id) values (pg_temp.id(2), pg_temp.id(6))$$, '42501', null, 'nobody follows for others');

select lives_ok($$insert into public.watchlists (id, name) select pg_temp.id(n), 'List ' || n from generate_series(10, 12) as n$$, 'a user has as many lists as the limit');
select throws_ok($$insert into public.watchlists (name) values ('One more')$$, 'PT409', 'You have 3 lists.', 'and no more');
select throws_ok($$insert into public.watchlists (name) values ('List 10')$$, '23505', null, 'a name is refused as before');

select lives_ok($$insert into public.watchlist_players (watchlist_id, player_id) select pg_temp.id(10), pg_temp.id(n) from generate_series(3, 5) as n$$, 'a list has as many players as the limit');
select throws_ok($$insert into public.watchlist_players (watchlist_id, player_id) values (pg_temp.id(10), pg_temp.id(6))$$, 'PT409', 'This list has 3 players.', 'and no more');
select lives_ok($$insert into public.watchlist_players (watchlist_id, player_id) values (pg_temp.id(11), pg_temp.id(6))$$, 'another list has room');
select throws_ok($$insert into public.watchlist_players (watchlist_id, player_id) values (pg_temp.id(20), pg_temp.id(6))$$, '42501', null, 'the list of somebody else does not tell that it is full');

select lives_ok($$insert into public.scout_notes (player_id, body) select pg_temp.id(3), 'Note ' || n from generate_series(1, 3) as n$$, 'a scout writes as many notes as the limit');
select throws_ok($$insert into public.scout_notes (player_id, body) values (pg_temp.id(4), 'x')$$, 'PT409', 'You have written 3 notes.', 'and no more');
select pg_temp.act(2);
select lives_ok($$insert into public.scout_notes (player_id, body) values (pg_temp.id(4), 'x')$$, 'the limit is for each person');
select * from finish();
rollback;

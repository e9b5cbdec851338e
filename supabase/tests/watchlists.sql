-- Scouts' lists: the comparison of players, and what changed since the last visit.
begin;
select plan(14);
delete from auth.users;

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

-- sam and sue are scouts; ann and bob are public, pri private.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('sam', 'scout'), ('sue', 'scout'), ('ann', 'player'), ('bob', 'player'), ('pri', 'player')) as people (name, role);
insert into public.birth_dates (user_id, birth_date) select id, '1990-01-01' from public.users;
insert into public.measurements (player_id, kind, value, source, taken_at, created_at)
select pg_temp.id(name), kind, value, 'self', '2026-05-01', now() - interval '3 days'
from (values ('ann', 'sixty_yard_dash', 6.9), ('bob', 'sixty_yard_dash', 7.1), ('bob', 'bat_speed', 70), ('pri', 'bat_speed', 60)) as numbers (name, kind, value);

select pg_temp.act('sam');
select results_eq($$select p.player_id, p.metric, p.value, p.lower_is_better, p.decimals, p.n from public.compare_players(array[pg_temp.id('bob'), pg_temp.id('ann'), pg_temp.id('pri')]) as p
  order by p.metric desc, p.value$$,
  $$values (pg_temp.id('ann'), 'sixty_yard_dash', 6.9, true, 2, 2), (pg_temp.id('bob'), 'sixty_yard_dash', 7.1, true, 2, 2), (pg_temp.id('bob'), 'bat_speed', 70, false, 1, 1)$$,
  'the numbers of players who are shown, with the size of their group');
select is_empty($$select * from public.compare_players('{}')$$, 'nobody is compared with nobody');
select throws_ok($$select * from public.compare_players(array[pg_temp.id('ann'), pg_temp.id('bob'), pg_temp.id('pri'), pg_temp.id('sam'), pg_temp.id('sue')])$$, 'PT400', 'Four players can be compared.', 'five players are too many');

insert into public.watchlists (id, name) values (pg_temp.id('lis'), 'List');
reset role;
insert into public.watchlist_players (watchlist_id, player_id) select pg_temp.id('lis'), pg_temp.id(name) from unnest(array['ann', 'bob', 'pri']) as name;
select pg_temp.act('sam');
select is_empty($$select * from public.visit_lists()$$, 'at the first visit nothing is new');
select results_eq($$select visited_at, previous_visit_at from public.watchlists$$, $$values (now(), null::timestamptz)$$, 'which is noted');
reset role;
update public.watchlists set visited_at = now() - interval '2 days';
insert into public.measurements (player_id, kind, value, source, taken_at, created_at)
select pg_temp.id(name), 'bat_speed', value, 'self', '2026-05-20', now() - interval '1 day'
from (values ('ann', 68), ('bob', 72), ('pri', 80)) as numbers (name, value);
select pg_temp.act('sam');
select results_eq($$select full_name, label, was, now, since from public.visit_lists() order by full_name$$,
  $$values ('ann', 'Bat speed', null::numeric, 68::numeric, now() - interval '2 days'), ('bob', 'Bat speed', 70, 72, now() - interval '2 days')$$,
  'what was entered since the last visit is new; private players are left out');
select is((select count(*) from public.visit_lists()), 2::bigint, 'a reload shows the same');
reset role;
update public.watchlists set visited_at = now() - interval '31 minutes';
select pg_temp.act('sam');
select is_empty($$select * from public.visit_lists()$$, 'at the next visit it is not new any more');
select throws_ok($$update public.watchlists set visited_at = null$$, '42501', null, 'only visits change the time');
select pg_temp.act('sue');
select is_empty($$select * from public.visit_lists()$$, 'another scout reads nothing of the list');
reset role;
select is((select previous_visit_at from public.watchlists), now() - interval '31 minutes', 'and does not visit it');
insert into public.suspensions (user_id, reason) values (pg_temp.id('sam'), 'Spam');
select pg_temp.act('sam');
select throws_ok($$select * from public.visit_lists()$$, '42501', null, 'the suspended visit nothing');
select is_empty($$select * from public.compare_players(array[pg_temp.id('ann')])$$, 'and compare nobody');
select set_config('request.jwt.claims', '{"role": "anon"}', true), set_config('role', 'anon', true);
select throws_ok($$select * from public.compare_players('{}')$$, '42501', null, 'visitors compare nobody');

select * from finish();
rollback;

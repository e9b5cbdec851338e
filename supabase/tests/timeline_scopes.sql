-- The timeline's queries by scope return what one query with all conditions returns, and the flag of verified coaches' posts is what
-- the coaches' rows say: on random people, teams, games and posts.
begin;
select plan(7);
select setseed(0.17);
delete from auth.users;
delete from public.teams;
create table realtime.messages_of_this_test partition of realtime.messages default;

create function pg_temp.id(number integer) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

-- 1 to 16 are minors, 15 without a birth date; 17 to 36 adults. 17 to 24 are coaches, 17 to 20 of them verified; 36 is an admin.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(n), n || '@example.com', jsonb_build_object('full_name', 'Person ' || n,
  'role', case when n between 17 and 24 then 'coach' when n > 32 then 'fan' else 'player' end, 'public_profile', n % 7 <> 0)
from generate_series(1, 36) as n;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(n), private.today() - make_interval(years => case when n > 16 then 30 when n < 4 then 12 else 15 end) from generate_series(1, 36) as n where n <> 15;
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
select pg_temp.id(n), pg_temp.id(33 + n % 3), (33 + n % 3) || '@example.com', 'accepted' from generate_series(1, 16) as n;
update public.users set public_profile = true where right(id::text, 2)::integer between 4 and 14;
update public.users set is_admin = true where id = pg_temp.id(36);
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), pg_temp.id(36), 'totp', 'verified', now(), now());
insert into private.coach_verifications (coach_id) select pg_temp.id(n) from generate_series(17, 20) as n;
update public.coaches set verified_at = now() where user_id in (select coach_id from private.coach_verifications);
insert into public.teams (id, name) select pg_temp.id(100 + n), 'Team ' || n from generate_series(1, 6) as n;
insert into public.team_members (team_id, user_id, role, status)
select pg_temp.id(101 + n % 6), pg_temp.id(n), case when n between 17 and 24 then 'coach' else 'player' end, 'active' from generate_series(1, 32) as n where n % 5 > 0;
insert into public.follows (follower_id, followed_id, muted)
select pg_temp.id(a), pg_temp.id(b), random() < 0.3 from generate_series(1, 36) as a, generate_series(1, 36) as b where a <> b and random() < 0.15;
insert into public.blocks (blocker_id, blocked_id) values (pg_temp.id(5), pg_temp.id(18)), (pg_temp.id(25), pg_temp.id(6));
insert into public.suspensions (user_id, reason) values (pg_temp.id(19), 'A reason'), (pg_temp.id(8), 'A reason');
insert into public.games (id, owner_team_id, home_team_id, visitor_name, home_name, played_on, is_public)
select pg_temp.id(200 + n), pg_temp.id(101 + n % 6), pg_temp.id(101 + n % 6), 'Visitors ' || n, 'Team', private.today(), n % 4 > 0 from generate_series(1, 12) as n;
insert into public.lineups (game_id, athlete_id, side)
select pg_temp.id(200 + g), i.athlete_id, 1 from generate_series(1, 12) as g, public.athlete_identities as i where random() < 0.1;
-- Several posts of a moment, as those of one game are.
insert into public.posts (id, kind, author_id, visibility, team_id, game_id, body, state, created_at)
select pg_temp.id(1000 + n), 'post', pg_temp.id(1 + n % 36), v, case when v = 'team' then pg_temp.id(101 + floor(6 * random())::integer) end,
  case when random() < 0.2 then pg_temp.id(201 + floor(12 * random())::integer) end, 'x', case when random() < 0.1 then 'held' when random() < 0.1 then 'removed' else 'shown' end,
  timestamptz '2026-01-01' + floor(n / 3.0) * interval '1 hour'
from (select n, (array['public', 'public', 'team', 'team', 'followers', 'self'])[1 + floor(6 * random())::integer] as v from generate_series(1, 1000) as n) as drawn;
insert into public.posts (id, kind, visibility, team_id, game_id, created_at)
select pg_temp.id(3000 + n), 'result', 'public', g.owner_team_id, g.id, timestamptz '2026-01-01' + n * interval '30 hours'
from generate_series(1, 12) as n join public.games as g on g.id = pg_temp.id(200 + n);
insert into public.reports (reporter_id, subject_kind, subject_id, reason)
select pg_temp.id(20 + n % 12), 'post', pg_temp.id(1000 + n)::text, 'spam' from generate_series(1, 60) as n;

-- One query, with the scope as a condition.
create function pg_temp.expected(scope text, before_at timestamptz, before_id uuid) returns setof uuid
language sql stable
as $$
  select p.id from public.posts as p
  where (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
    and (before_at is null or (p.created_at, p.id) < (before_at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    and case scope
      when 'following' then p.author_id in (select private.followed_people()) or p.game_id in (select private.followed_games())
      when 'team' then p.team_id in (select private.own_teams())
      when 'mine' then p.author_id = (select auth.uid())
      else (p.author_id is not null or p.team_id in (select private.own_teams()) or p.game_id in (select private.followed_games()))
        and (p.author_id is null or not exists (
          select from public.follows as f where f.follower_id = (select auth.uid()) and f.followed_id = p.author_id and f.muted))
        and (p.visibility = 'public' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards())
          or p.author_id in (select private.followed_people()) or p.team_id in (select private.own_teams()))
      end
  order by p.created_at desc, p.id desc limit 20
$$;
create temporary table pages (person integer, scope text, page integer, found uuid[], expected uuid[]);
create temporary table singles (person integer, scope text, found uuid[], expected uuid[]);
grant insert on pages, singles to authenticated;
grant select on public.posts to authenticated;
do $$
declare
  person integer;
  scope text;
  page integer;
  edge record;
  found uuid[];
  expected uuid[];
begin
  for person in 1..36 loop
    perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(person), 'role', 'authenticated', 'aal', 'aal2')::text, true);
    perform set_config('role', 'authenticated', true);
    foreach scope in array array['all', 'following', 'team', 'mine', 'other'] loop
      edge := null;
      for page in 1..2 loop
        if page = 1 then
          select null::timestamptz as created_at, null::uuid as id into edge;
        end if;
        found := array(select t.id from public.timeline(scope, edge.created_at, edge.id) as t);
        expected := array(select pg_temp.expected(scope, edge.created_at, edge.id));
        insert into pages values (person, scope, page, found, expected);
        exit when cardinality(expected) = 0;
        select p.created_at, p.id into edge from public.posts as p where p.id = expected[cardinality(expected)];
      end loop;
    end loop;
    perform set_config('role', 'none', true);
  end loop;
  foreach person in array array[5, 13, 26, 36] loop
    perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(person), 'role', 'authenticated', 'aal', 'aal2')::text, true);
    perform set_config('role', 'authenticated', true);
    foreach scope in array array['all', 'following', 'team', 'mine'] loop
      insert into singles values (person, scope,
        array(select t.id from generate_series(1, 60) as n, public.timeline(scope, only_id => pg_temp.id(1000 + n)) as t),
        array(select e.id from pg_temp.expected(scope, timestamptz '2026-01-01' + interval '20 hours', pg_temp.id(1060)) as e (id)));
    end loop;
    perform set_config('role', 'none', true);
  end loop;
end
$$;
select set_config('request.jwt.claims', '', true);
select is((select count(*) from pages where found <> expected), 0::bigint, 'every page of every scope for every person is as expected');
select ok((select count(*) > 100 and count(distinct scope) = 5 and count(distinct person) > 30 from pages where cardinality(expected) > 0), 'most pages have posts');
select is((select count(*) from singles where not found @> expected), 0::bigint, 'single posts are found in the scopes that list them');

-- The teams of everybody and of their wards.
create temporary table teams_found (person integer, found uuid[], expected uuid[]);
grant insert on teams_found to authenticated;
do $$
declare
  person integer;
begin
  for person in 1..36 loop
    perform set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id(person), 'role', 'authenticated', 'aal', 'aal2')::text, true);
    insert into teams_found values (person, array(select distinct t from private.own_teams() as t order by t), array(
      select distinct m.team_id from public.team_members as m where m.status = 'active' and (m.user_id = auth.uid() or m.user_id in (select private.wards())) order by 1));
    insert into teams_found values (person, array(select distinct t from private.trusted_teams() as t order by t), array(
      select distinct m.team_id from public.team_members as m
      where m.status = 'active' and (m.user_id in (select private.wards())
        or (m.user_id = auth.uid() and (m.role <> 'coach' or private.is_verified_coach()))) order by 1));
  end loop;
end
$$;
select set_config('request.jwt.claims', '', true);
select ok((select bool_and(found = expected) and count(*) filter (where cardinality(expected) > 0) > 40 and max(cardinality(expected)) > 1 from teams_found),
  'own and trusted teams are those of the caller and of wards');

-- The flag, after changes of all kinds.
create function pg_temp.flagged() returns setof uuid
language sql stable
as $$ select distinct p.author_id from public.posts as p where p.by_coach $$;
create function pg_temp.coaches() returns setof uuid
language sql stable
as $$
  select c.user_id from public.coaches as c join public.users as u on u.id = c.user_id and u.role = 'coach' where c.verified_at is not null
$$;
select set_eq('select pg_temp.flagged()', 'select pg_temp.coaches()', 'the posts of verified coaches, and no others, have the flag');
update public.coaches set verified_at = null where user_id = pg_temp.id(17);
update public.coaches set verified_at = now() where user_id in (pg_temp.id(21), pg_temp.id(22));
update public.users set role = 'fan' where id = pg_temp.id(18);
delete from public.coaches where user_id = pg_temp.id(22);
insert into public.posts (author_id, visibility, body) values (pg_temp.id(21), 'public', 'new'), (pg_temp.id(23), 'public', 'new');
select set_eq('select pg_temp.flagged()', 'select pg_temp.coaches()', 'also after verifications, changes of the role, deletions and new posts');
select is((select array_agg(distinct p.by_coach) from public.posts as p where p.author_id = pg_temp.id(21)), array[true], 'all posts of a coach who is verified now have it');

select * from finish();
rollback;

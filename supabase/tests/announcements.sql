-- Letters to colleges and announcements of commitments: whose they are, who reads them, and that no child is announced.
begin;
select plan(50);
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
create function pg_temp.read() returns text
language sql
as $$ select string_agg(t.body, ' ' order by t.body) from public.timeline() as t where t.kind = 'commitment' $$;

-- ann is 16 with the guardian gus, and public; kit is 11 with the same; bob is an adult of ann's team, out of none; flo follows ann.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', true)
from (values ('ann', 'player'), ('kit', 'player'), ('bob', 'player'), ('cam', 'coach'), ('gus', 'fan'), ('flo', 'fan'), ('out', 'fan')) as p (name, role);
insert into public.birth_dates (user_id, birth_date)
select u.id, (private.today() - case u.full_name when 'kit' then interval '11 years' when 'ann' then interval '16 years' else interval '30 years' end)::date from public.users as u;
insert into public.guardianships (ward_id, guardian_id, invited_email, status, hides_profile)
select pg_temp.id(w), pg_temp.id('gus'), 'gus@example.com', 'accepted', false from unnest(array['ann', 'kit']) as w;
update public.users set public_profile = true where full_name = 'ann';
insert into public.teams (name, created_by) values ('Owls', pg_temp.id('cam'));
insert into public.team_members (team_id, user_id, role, status)
select t.id, pg_temp.id(m), case m when 'cam' then 'coach' else 'player' end, 'active' from public.teams as t, unnest(array['cam', 'ann', 'bob', 'kit']) as m;
insert into public.follows (follower_id, followed_id) values (pg_temp.id('flo'), pg_temp.id('ann'));
insert into public.commitments (id, player_id, program) values (pg_temp.id('c01'), pg_temp.id('ann'), 'Stanford'), (pg_temp.id('c02'), pg_temp.id('kit'), 'Duke'),
  (pg_temp.id('c03'), pg_temp.id('bob'), 'Rice');

-- Letters.
select pg_temp.act('ann');
select lives_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'First', 'Dear {coach}')$$, 'a player saves a letter');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'First', 'Again')$$, '23505', null, 'two letters of a player cannot have the same title');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('bob'), 'Mine', 'x')$$, '42501', null, 'nobody writes a letter for another player');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'Long', repeat('x', 4001))$$, '23514', null, 'a letter of more than 4,000 characters is refused');
select lives_ok($$insert into public.college_letters (player_id, title, body) select pg_temp.id('ann'), 'Letter ' || n, 'x' from generate_series(2, 20) as n$$, 'a player saves twenty letters');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'More', 'x')$$, 'PT409', '20 are enough here.', 'the twenty-first letter is refused');
select pg_temp.act('bob');
select is((select count(*) from public.college_letters), 0::bigint, 'other players read no letters');
select pg_temp.act('cam');
select is((select count(*) from public.college_letters), 0::bigint, 'the coach reads no letters of a board that is not shared');
select pg_temp.act('gus');
select is((select count(*) from public.college_letters), 20::bigint, 'the guardian reads the letters');
select lives_ok($$update public.college_letters set body = 'Dear coach' where title = 'First'$$, 'the guardian changes a letter');
reset role;
update public.coaches set verified_at = now() where user_id = pg_temp.id('cam');
insert into public.college_plans (player_id, shared_with_coaches) values (pg_temp.id('ann'), true);
select pg_temp.act('cam');
select is((select body from public.college_letters where title = 'First'), 'Dear coach', 'the coach reads the letters of a shared board');
update public.college_letters set body = 'cam';
select is((select count(*) from public.college_letters where body = 'cam'), 0::bigint, 'the coach cannot change a letter');

-- Announcements.
select pg_temp.act('bob');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'PT404', null, 'other players cannot announce a commitment');
select throws_ok($$insert into public.posts (kind, author_id, visibility, body, commitment_id) values ('commitment', pg_temp.id('bob'), 'public', 'x', pg_temp.id('c03'))$$, '42501', null, 'a post of the kind commitment cannot be inserted directly');
select pg_temp.act('ann');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'everybody')$$, 'PT400', null, 'an unknown audience is refused');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'team')$$, 'PT400', 'Choose a team of the player.', 'an announcement to a team names the team');
select lives_ok($$select public.announce_commitment(pg_temp.id('c01'), 'followers')$$, 'a player of 13 or older announces a commitment');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'PT409', 'This commitment is announced already.', 'a commitment is announced only once');
select is(pg_temp.read(), 'Committed to Stanford.', 'the announcement is on the player''s timeline');
select pg_temp.act('flo');
select is(pg_temp.read(), 'Committed to Stanford.', 'followers see it');
select pg_temp.act('out');
select is(pg_temp.read(), null, 'others do not see it');
select pg_temp.act('gus');
delete from public.posts where commitment_id = pg_temp.id('c01');
select lives_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'the guardian deletes the announcement and makes a public one');
select pg_temp.act('out');
select is(pg_temp.read(), 'Committed to Stanford.', 'everybody sees the public announcement');
select pg_temp.act('gus');
select throws_ok($$select public.announce_commitment(pg_temp.id('c02'), 'team', (select id from public.teams))$$, '42501', 'Commitments are announced from 13 on.', 'not even the guardian can announce a child''s commitment');
update public.commitments set status = 'signed', program = 'Rice' where id = pg_temp.id('c01');
select pg_temp.act('out');
select is(pg_temp.read(), 'Signed with Rice.', 'a change of the commitment changes the announcement');
-- A review holds for one text: after a change three reports hide the announcement again.
reset role;
update public.posts set reviewed_at = now() where commitment_id = pg_temp.id('c01');
update public.commitments set program = ' Rice ' where id = pg_temp.id('c01');
select isnt((select reviewed_at from public.posts where commitment_id = pg_temp.id('c01')), null, 'a change that does not change the text keeps the review');
update public.commitments set program = 'Insults' where id = pg_temp.id('c01');
select results_eq($$select body, reviewed_at from public.posts where commitment_id = pg_temp.id('c01')$$, $$values ('Signed with Insults.', null::timestamptz)$$, 'a changed text loses the review');
update public.posts set reviewed_at = now(), state = 'removed' where commitment_id = pg_temp.id('c01');
update public.commitments set program = 'Rice' where id = pg_temp.id('c01');
select results_eq($$select state, reviewed_at is not null from public.posts where commitment_id = pg_temp.id('c01')$$, $$values ('removed', true)$$, 'a changed text does not restore a removed announcement');
update public.posts set state = 'shown' where commitment_id = pg_temp.id('c01');
reset role;
update public.users set public_profile = false where full_name = 'ann';
select pg_temp.act('out');
select is(pg_temp.read(), null, 'the announcement is hidden when the profile becomes private');
reset role;
update public.users set public_profile = true where full_name = 'ann';
select pg_temp.act('gus');
update public.commitments set status = 'withdrawn' where id = pg_temp.id('c01');
reset role;
select is((select count(*) from public.posts where kind = 'commitment'), 0::bigint, 'withdrawing the commitment deletes the announcement');
select pg_temp.act('ann');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'followers')$$, 'PT409', 'This commitment is withdrawn.', 'a withdrawn commitment cannot be announced');
select pg_temp.act('bob');
select lives_ok($$select public.announce_commitment(pg_temp.id('c03'), 'team', (select id from public.teams))$$, 'a player announces a commitment to the team');
select pg_temp.act('cam');
select is(pg_temp.read(), 'Committed to Rice.', 'the team sees it');
select pg_temp.act('out');
select is(pg_temp.read(), null, 'others do not see an announcement to the team');
reset role;
delete from public.commitments where id = pg_temp.id('c03');
select is((select count(*) from public.posts where kind = 'commitment'), 0::bigint, 'deleting the commitment deletes the announcement');

-- A commitment and its announcement at once.
select pg_temp.act('bob');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'everybody')$$, 'PT400', null, 'an unknown audience is refused');
select is((select count(*) from public.commitments where player_id = pg_temp.id('bob')), 0::bigint, 'a commitment that cannot be announced is not added');
select lives_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'followers')$$, 'a commitment is added');
select results_eq($$select c.program, c.status, c.committed_on, p.body, p.visibility from public.commitments as c join public.posts as p on p.commitment_id = c.id where c.player_id = pg_temp.id('bob')$$,
  $$values ('Yale', 'signed', '2026-11-01'::date, 'Signed with Yale.', 'followers')$$, 'the new commitment is announced');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '23505', null, 'a player has one commitment at a time');
select throws_ok($$select public.add_commitment(pg_temp.id('ann'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '42501', null, 'nobody adds a commitment for another player');
reset role;
delete from public.commitments where player_id = pg_temp.id('bob');
insert into public.team_members (team_id, user_id, role, status) select t.id, pg_temp.id('bob'), 'player', 'active' from public.teams as t order by t.id limit 1 on conflict do nothing;
create temporary table bobs as select min(m.team_id::text)::uuid as team from public.team_members as m where m.user_id = pg_temp.id('bob') and m.role = 'player' and m.status = 'active';
grant select on bobs to authenticated;
select pg_temp.act('bob');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'team', gen_random_uuid())$$, 'PT400', 'Choose a team of the player.', 'a commitment is not announced to another team');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'team')$$, 'PT400', 'Choose a team of the player.', 'nor to the team without naming it');
select lives_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'team', (select team from bobs))$$, 'but to a team of the player');
select results_eq($$select p.visibility, p.team_id from public.commitments as c join public.posts as p on p.commitment_id = c.id where c.player_id = pg_temp.id('bob')$$,
  $$select 'team', team from bobs$$, 'the announcement is a post to that team');
select pg_temp.act('gus');
select lives_ok($$select public.add_commitment(pg_temp.id('ann'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, 'a guardian adds a commitment for a ward');
select is((select count(*) from public.posts as p where p.author_id = pg_temp.id('ann') and p.kind = 'commitment'), 0::bigint, 'the audience nobody makes no announcement');

-- Each announcement reaches all open timelines, so a deleted one still counts towards the limit.
select pg_temp.act('bob');
do $$ begin
  for n in 1..27 loop
    delete from public.posts where kind = 'commitment' and author_id = auth.uid();
    perform public.announce_commitment((select c.id from public.commitments as c where c.player_id = auth.uid()), 'followers');
  end loop;
end $$;
delete from public.posts where kind = 'commitment' and author_id = auth.uid();
select throws_ok($$select public.announce_commitment((select c.id from public.commitments as c where c.player_id = auth.uid()), 'followers')$$, 'PT429', 'Thirty posts a day are enough.', 'announcements count towards the daily limit of posts, deleted or not');
set local role anon;
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '42501', null, 'visitors cannot add a commitment');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, '42501', null, 'visitors cannot announce a commitment');

select * from finish();
rollback;

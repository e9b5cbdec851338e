-- Letters to colleges and announcements of commitments: whose they are, who reads them, and that no child is announced.
begin;
select plan(46);
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
select lives_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'First', 'Dear {coach}')$$, 'a letter is kept');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'First', 'Again')$$, '23505', null, 'under a title of its own');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('bob'), 'Mine', 'x')$$, '42501', null, 'on one''s own board');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'Long', repeat('x', 4001))$$, '23514', null, 'up to a length');
select lives_ok($$insert into public.college_letters (player_id, title, body) select pg_temp.id('ann'), 'Letter ' || n, 'x' from generate_series(2, 20) as n$$, 'up to twenty');
select throws_ok($$insert into public.college_letters (player_id, title, body) values (pg_temp.id('ann'), 'More', 'x')$$, 'PT409', '20 are enough here.', 'and no more');
select pg_temp.act('bob');
select is((select count(*) from public.college_letters), 0::bigint, 'other players read none');
select pg_temp.act('cam');
select is((select count(*) from public.college_letters), 0::bigint, 'nor does the coach');
select pg_temp.act('gus');
select is((select count(*) from public.college_letters), 20::bigint, 'the guardian reads them');
select lives_ok($$update public.college_letters set body = 'Dear coach' where title = 'First'$$, 'and writes');
reset role;
update public.coaches set verified_at = now() where user_id = pg_temp.id('cam');
insert into public.college_plans (player_id, shared_with_coaches) values (pg_temp.id('ann'), true);
select pg_temp.act('cam');
select is((select body from public.college_letters where title = 'First'), 'Dear coach', 'the coach reads those of a shared board');
update public.college_letters set body = 'cam';
select is((select count(*) from public.college_letters where body = 'cam'), 0::bigint, 'and does not write');

-- Announcements.
select pg_temp.act('bob');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'PT404', null, 'nobody announces for others');
select throws_ok($$insert into public.posts (kind, author_id, visibility, body, commitment_id) values ('commitment', pg_temp.id('bob'), 'public', 'x', pg_temp.id('c03'))$$, '42501', null, 'nor by hand');
select pg_temp.act('ann');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'everybody')$$, 'PT400', null, 'to an audience that there is');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'team')$$, 'PT400', 'Choose a team of the player.', 'a team is named');
select lives_ok($$select public.announce_commitment(pg_temp.id('c01'), 'followers')$$, 'from 13 on the player announces');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'PT409', 'This commitment is announced already.', 'once');
select is(pg_temp.read(), 'Committed to Stanford.', 'it is on the timeline');
select pg_temp.act('flo');
select is(pg_temp.read(), 'Committed to Stanford.', 'of followers');
select pg_temp.act('out');
select is(pg_temp.read(), null, 'not of others');
select pg_temp.act('gus');
delete from public.posts where commitment_id = pg_temp.id('c01');
select lives_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, 'the guardian takes it back, and tells everybody');
select pg_temp.act('out');
select is(pg_temp.read(), 'Committed to Stanford.', 'who then read it');
select pg_temp.act('gus');
select throws_ok($$select public.announce_commitment(pg_temp.id('c02'), 'team', (select id from public.teams))$$, '42501', 'Commitments are announced from 13 on.', 'of a child not even the guardian announces one');
update public.commitments set status = 'signed', program = 'Rice' where id = pg_temp.id('c01');
select pg_temp.act('out');
select is(pg_temp.read(), 'Signed with Rice.', 'the announcement says what the profile says');
-- What an admin let stand is another text after a change, so three reports hide it again.
reset role;
update public.posts set reviewed_at = now() where commitment_id = pg_temp.id('c01');
update public.commitments set program = ' Rice ' where id = pg_temp.id('c01');
select isnt((select reviewed_at from public.posts where commitment_id = pg_temp.id('c01')), null, 'a change that changes no word leaves the review');
update public.commitments set program = 'Insults' where id = pg_temp.id('c01');
select results_eq($$select body, reviewed_at from public.posts where commitment_id = pg_temp.id('c01')$$, $$values ('Signed with Insults.', null::timestamptz)$$, 'another text is not reviewed');
update public.posts set reviewed_at = now(), state = 'removed' where commitment_id = pg_temp.id('c01');
update public.commitments set program = 'Rice' where id = pg_temp.id('c01');
select results_eq($$select state, reviewed_at is not null from public.posts where commitment_id = pg_temp.id('c01')$$, $$values ('removed', true)$$, 'and no text brings back what was removed');
update public.posts set state = 'shown' where commitment_id = pg_temp.id('c01');
reset role;
update public.users set public_profile = false where full_name = 'ann';
select pg_temp.act('out');
select is(pg_temp.read(), null, 'a profile that turns private takes it along');
reset role;
update public.users set public_profile = true where full_name = 'ann';
select pg_temp.act('gus');
update public.commitments set status = 'withdrawn' where id = pg_temp.id('c01');
reset role;
select is((select count(*) from public.posts where kind = 'commitment'), 0::bigint, 'a withdrawn commitment takes it back');
select pg_temp.act('ann');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'followers')$$, 'PT409', 'This commitment is withdrawn.', 'and is not announced');
select pg_temp.act('bob');
select lives_ok($$select public.announce_commitment(pg_temp.id('c03'), 'team', (select id from public.teams))$$, 'to the team');
select pg_temp.act('cam');
select is(pg_temp.read(), 'Committed to Rice.', 'which reads it');
select pg_temp.act('out');
select is(pg_temp.read(), null, 'alone');
reset role;
delete from public.commitments where id = pg_temp.id('c03');
select is((select count(*) from public.posts where kind = 'commitment'), 0::bigint, 'and goes with the commitment');

-- A commitment and its announcement at once.
select pg_temp.act('bob');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'everybody')$$, 'PT400', null, 'to an audience that there is');
select is((select count(*) from public.commitments where player_id = pg_temp.id('bob')), 0::bigint, 'what cannot be announced is not added');
select lives_ok($$select public.add_commitment(pg_temp.id('bob'), 'Yale', 'signed', '2026-11-01', 'followers')$$, 'a commitment is added');
select results_eq($$select c.program, c.status, c.committed_on, p.body, p.visibility from public.commitments as c join public.posts as p on p.commitment_id = c.id where c.player_id = pg_temp.id('bob')$$,
  $$values ('Yale', 'signed', '2026-11-01'::date, 'Signed with Yale.', 'followers')$$, 'and announced');
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '23505', null, 'one at a time');
select throws_ok($$select public.add_commitment(pg_temp.id('ann'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '42501', null, 'for oneself');
select pg_temp.act('gus');
select lives_ok($$select public.add_commitment(pg_temp.id('ann'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, 'or for a ward');
select is((select count(*) from public.posts as p where p.author_id = pg_temp.id('ann') and p.kind = 'commitment'), 0::bigint, 'also without an announcement');

-- Each announcement is told to everybody who has the timeline open, so taking it back does not make it free.
select pg_temp.act('bob');
do $$ begin
  for n in 1..28 loop
    delete from public.posts where kind = 'commitment' and author_id = auth.uid();
    perform public.announce_commitment((select c.id from public.commitments as c where c.player_id = auth.uid()), 'followers');
  end loop;
end $$;
delete from public.posts where kind = 'commitment' and author_id = auth.uid();
select throws_ok($$select public.announce_commitment((select c.id from public.commitments as c where c.player_id = auth.uid()), 'followers')$$, 'PT429', 'Thirty posts a day are enough.', 'announcements count as posts');
set local role anon;
select throws_ok($$select public.add_commitment(pg_temp.id('bob'), 'Duke', 'committed', '2026-11-01', 'nobody')$$, '42501', null, 'visitors add nothing');
select throws_ok($$select public.announce_commitment(pg_temp.id('c01'), 'public')$$, '42501', null, 'visitors announce nothing');

select * from finish();
rollback;

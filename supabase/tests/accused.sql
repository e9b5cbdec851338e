-- Whose thing a report is about: what the reporter says of that does not count.
begin;
select plan(11);
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
-- Whom a report by ann is about, who accuses sue of everything.
create function pg_temp.accused(kind text, thing text) returns text
language plpgsql
as $$
declare
  accused text;
begin
  perform pg_temp.act('ann');
  insert into public.reports (subject_kind, subject_id, subject_user_id, reason) values (kind, thing, pg_temp.id('sue'), 'abuse');
  perform set_config('role', 'none', true);
  select u.email into accused from public.reports as r join public.users as u on u.id = r.subject_user_id
  where r.subject_kind = kind and r.subject_id is not distinct from thing;
  return split_part(accused, '@', 1);
end
$$;

-- bob, an adult, has all things; pri's profile is private; kid, 11, may be opened by ann, a verified scout.
insert into auth.users (id, email, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', jsonb_build_object('full_name', name, 'role', role, 'public_profile', name <> 'pri')
from (values ('ann', 'scout'), ('bob', 'player'), ('sue', 'fan'), ('pri', 'player'), ('kid', 'player'), ('mum', 'fan')) as people (name, role);
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), private.today() - make_interval(years => age)
from (values ('ann', 30), ('bob', 30), ('sue', 30), ('pri', 30), ('kid', 11), ('mum', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status, audience)
values (pg_temp.id('kid'), pg_temp.id('mum'), 'mum@example.com', 'accepted', 'verified');
update public.scouts set verified_at = now();
insert into public.posts (id, author_id, visibility, body) values (pg_temp.id('pos'), pg_temp.id('bob'), 'public', 'Hello.');
insert into public.post_comments (id, post_id, author_id, body) values (pg_temp.id('com'), pg_temp.id('pos'), pg_temp.id('bob'), 'x');
insert into public.articles (id, author_id, title, body, status, published_at, comments_open)
values (pg_temp.id('art'), pg_temp.id('bob'), 'Win', 'x', 'published', now(), true);
insert into public.article_comments (id, article_id, author_id, body) values (pg_temp.id('aco'), pg_temp.id('art'), pg_temp.id('bob'), 'x');
insert into public.videos (id, player_id, title, url) values (pg_temp.id('vid'), pg_temp.id('bob'), 'x', 'https://example.com/');
insert into public.measurements (id, player_id, kind, value, source, taken_at)
select pg_temp.id(name || 'm'), pg_temp.id(owner), 'bat_speed', 70, 'self', private.today() from (values ('b', 'bob'), ('p', 'pri'), ('k', 'kid')) as m (name, owner);

select is(pg_temp.accused('post', pg_temp.id('pos')::text), 'bob', 'a post is its author''s, whomever the reporter accuses');
select is(pg_temp.accused('comment', pg_temp.id('com')::text), 'bob', 'a comment is its author''s');
select is(pg_temp.accused('article', pg_temp.id('art')::text), 'bob', 'an article is its author''s');
select is(pg_temp.accused('article_comment', pg_temp.id('aco')::text), 'bob', 'a comment on an article is its author''s');
select is(pg_temp.accused('video', pg_temp.id('vid')::text), 'bob', 'a video is the player''s');
select is(pg_temp.accused('measurement', pg_temp.id('bm')::text), 'bob', 'a measurement is the player''s');
select is(pg_temp.accused('measurement', pg_temp.id('pm')::text), null, 'the report of what the reporter does not see does not reveal whose it is');
select set_config('request.headers', jsonb_build_object('x-opened-profile', pg_temp.id('kid'))::text, true) as opened;
select is(pg_temp.accused('measurement', pg_temp.id('km')::text), 'kid', 'the measurement of a child on the page that the reporter has opened is the child''s');
select is(pg_temp.accused('profile', pg_temp.id('pri')::text), 'pri', 'a profile is that of its user, also if it is private');
select is(pg_temp.accused('profile', gen_random_uuid()::text), null, 'a profile that does not exist is nobody''s');
select is(pg_temp.accused('other', null), null, 'other reports are about nobody');
select * from finish();
rollback;

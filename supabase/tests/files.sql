-- Photos, videos and logos: who adds, sees and removes them, and what makes them and their signed URLs end.
begin;
select plan(91);
delete from auth.users;
delete from public.teams;
delete from private.removed_files;

create function pg_temp.id(name text) returns uuid
language sql immutable
as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(ascii(name) * 65536 + ascii(substr(name, 2)) * 256 + ascii(substr(name, 3))), 12, '0'))::uuid $$;
create function pg_temp.act(name text) returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', case name when 'anon' then '{"role": "anon"}' else jsonb_build_object(
    'sub', pg_temp.id(name), 'role', 'authenticated', 'aal', 'aal1', 'session_id', pg_temp.id(name))::text end, true);
  perform set_config('role', case name when 'anon' then 'anon' else 'authenticated' end, true);
end
$$;
-- The name of a file of somebody's, or of a team's.
create function pg_temp.file(owner text, name text) returns text
language sql immutable
as $$ select pg_temp.id(owner) || '/' || pg_temp.id('fil') || name $$;
-- As the storage service does it: under the caller's role.
create function pg_temp.upload(bucket text, name text) returns void
language sql
as $$ insert into storage.objects (bucket_id, name, owner_id, version, metadata)
  values (bucket, name, auth.uid()::text, gen_random_uuid()::text, '{"size": 1}') $$;
-- Those who may add a file of this name.
create function pg_temp.who_adds(bucket text, name text) returns text
language plpgsql
as $$
declare
  person text;
  found text := '';
begin
  foreach person in array array['anon', 'kid', 'tim', 'mum', 'ann', 'cam', 'cob', 'new', 'sus'] loop
    begin
      perform pg_temp.act(person);
      perform pg_temp.upload(bucket, name);
      raise exception 'undo' using errcode = 'T0000';
    exception
      when sqlstate 'T0000' then found := found || ' ' || person;
      when insufficient_privilege then null;
    end;
    perform set_config('role', 'none', true);
  end loop;
  return btrim(found);
end
$$;
-- Those who see a file.
create function pg_temp.who_sees(bucket text, file text) returns text
language plpgsql
as $$
declare
  person text;
  found text := '';
  seen boolean;
begin
  foreach person in array array['anon', 'kid', 'tim', 'mum', 'ann', 'cam', 'cob', 'new', 'sus'] loop
    perform pg_temp.act(person);
    select exists (select from storage.objects as o where o.bucket_id = bucket and o.name = file) into seen;
    found := found || case when seen then ' ' || person else '' end;
    perform set_config('role', 'none', true);
  end loop;
  return btrim(found);
end
$$;

-- ann is an adult; kid is 11 and mum is the guardian; tim is 15 without a guardian; cam is a verified coach, cob is not; new
-- has told no birth date; sus is suspended.
insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at, raw_user_meta_data)
select pg_temp.id(name), name || '@example.com', now(), now(), jsonb_build_object('full_name', name, 'role', role)
from (values ('kid', 'player'), ('tim', 'player'), ('mum', 'fan'), ('ann', 'player'), ('cam', 'coach'), ('cob', 'coach'),
  ('new', 'player'), ('sus', 'player')) as people (name, role);
insert into auth.sessions (id, user_id, aal, created_at, updated_at)
select id, id, 'aal1', now(), now() from auth.users;
insert into public.birth_dates (user_id, birth_date)
select pg_temp.id(name), (now() at time zone 'utc')::date - make_interval(years => age)
from (values ('kid', 11), ('tim', 15), ('mum', 40), ('ann', 30), ('cam', 40), ('cob', 40), ('sus', 40)) as ages (name, age);
insert into public.guardianships (ward_id, guardian_id, invited_email, status)
values (pg_temp.id('kid'), pg_temp.id('mum'), 'mum@example.com', 'accepted');
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
insert into public.teams (id, name, created_by) values (pg_temp.id('vet'), 'Vetted', pg_temp.id('cam')), (pg_temp.id('own'), 'Own', pg_temp.id('cob'));
update public.teams set vetted = id = pg_temp.id('vet');
insert into public.team_members (team_id, user_id, role, status) values
  (pg_temp.id('vet'), pg_temp.id('cam'), 'coach', 'active'), (pg_temp.id('vet'), pg_temp.id('cob'), 'coach', 'active'),
  (pg_temp.id('own'), pg_temp.id('cob'), 'coach', 'active'), (pg_temp.id('vet'), pg_temp.id('kid'), 'player', 'active');
insert into public.suspensions (user_id, reason) values (pg_temp.id('sus'), 'A reason');

-- Buckets.
select results_eq(
  $$select id, public, file_size_limit, array_to_string(allowed_mime_types, ' ') from storage.buckets
    where id in ('profile-photos', 'team-logos', 'profile-videos') order by id collate "C"$$,
  $$values ('profile-photos', false, 2097152::bigint, 'image/jpeg'),
    ('profile-videos', false, 209715200, 'video/mp4 video/webm video/quicktime'), ('team-logos', false, 1048576, 'image/png')$$,
  'no bucket is public');

-- Adding.
select is(pg_temp.who_adds('profile-photos', pg_temp.file('ann', '/large.jpg')), 'ann', 'an adult adds the own photo');
select is(pg_temp.who_adds('profile-videos', pg_temp.file('ann', '.mp4')), 'ann', 'and videos');
select is(pg_temp.who_adds('profile-photos', pg_temp.file('kid', '/small.jpg')), 'mum', 'a child''s photo is added by the guardian only');
select is(pg_temp.who_adds('profile-videos', pg_temp.file('kid', '.mov')), 'mum', 'and so is a video');
select is(pg_temp.who_adds('profile-photos', pg_temp.file('tim', '/large.jpg')), '', 'without a guardian nobody consents to a minor''s photo');
select is(pg_temp.who_adds('profile-videos', pg_temp.file('tim', '.mp4')), '', 'nor to a video');
select is(pg_temp.who_adds('profile-photos', pg_temp.file('new', '/large.jpg')), '', 'without a birth date a user counts as a minor');
select is(pg_temp.who_adds('profile-photos', pg_temp.file('sus', '/large.jpg')), '', 'a suspended user adds nothing');
select is(pg_temp.who_adds('team-logos', pg_temp.file('vet', '.png')), 'cam', 'a team whose name was vetted gets a logo from a verified coach');
select is(pg_temp.who_adds('team-logos', pg_temp.file('own', '.png')), 'cob', 'another team from its coach');
select is(pg_temp.who_adds('profile-photos', pg_temp.file('ann', '/other.jpg')), '', 'other names are refused: another size');
select is(pg_temp.who_adds('profile-photos', pg_temp.id('ann') || '/large.jpg'), '', 'no folder');
select is(pg_temp.who_adds('profile-photos', 'large.jpg'), '', 'no owner');
select is(pg_temp.who_adds('profile-videos', pg_temp.file('ann', '.exe')), '', 'another type');
select is(pg_temp.who_adds('team-logos', pg_temp.file('ann', '.png')), '', 'a logo of a person');
select is(pg_temp.who_adds('profile-videos', pg_temp.file('vet', '.mp4')), '', 'a video of a team');

-- How many.
select pg_temp.act('ann');
select pg_temp.upload('profile-videos', pg_temp.id('ann') || '/' || gen_random_uuid() || '.mp4') from generate_series(1, 12);
select throws_ok($$select pg_temp.upload('profile-videos', pg_temp.file('ann', '.mp4'))$$, '42501', null, 'twelve videos are enough');
select throws_ok($$delete from storage.objects where bucket_id = 'profile-videos'$$, '42501', 'Direct deletion from storage tables is not allowed. Use the Storage API instead.', 'files are removed through the storage service');
set local storage.allow_delete_query = 'true';
with gone as (delete from storage.objects where bucket_id = 'profile-videos' returning 1)
select is((select count(*) from gone), 12::bigint, 'which lets the owner');
set local storage.allow_delete_query = '';
-- The service asks the policies before the body arrives, and writes the row afterwards.
set local role none;
select throws_ok(
  $$insert into storage.objects (bucket_id, name) select 'profile-videos', pg_temp.id('ann') || '/' || gen_random_uuid() || '.mp4' from generate_series(1, 13)$$,
  '42501', 'There are too many files here.', 'the thirteenth video is refused when it has arrived, too');
insert into storage.objects (bucket_id, name) select 'profile-videos', pg_temp.id('ann') || '/' || lpad(n::text, 36, '0') || '.mp4' from generate_series(1, 12) as n;
select lives_ok(
  $$insert into storage.objects (bucket_id, name, version) values ('profile-videos', pg_temp.id('ann') || '/' || lpad('1', 36, '0') || '.mp4', 'v2')
    on conflict (name, bucket_id) do update set version = excluded.version$$, 'twelve can be replaced');
insert into storage.objects (bucket_id, name) select 'team-logos', pg_temp.id('own') || '/' || gen_random_uuid() || '.png' from generate_series(1, 4);
select throws_ok($$insert into storage.objects (bucket_id, name) values ('team-logos', pg_temp.file('own', '.png'))$$, '42501', 'There are too many files here.', 'four logos are enough');
select is(private.has_room('profile-videos', pg_temp.id('ann')::text), false, 'the policies say so before');
select is(private.has_room('other', pg_temp.id('ann')::text), true, 'other buckets have no such limit');
insert into storage.objects (bucket_id, name) select 'post-media', pg_temp.id('ann') || '/' || gen_random_uuid() || '.jpg' from generate_series(1, 4);
select throws_ok($$insert into storage.objects (bucket_id, name) values ('post-media', pg_temp.file('ann', '.jpg'))$$, '42501', 'There are too many files here.', 'and so are four files that no post uses');
insert into storage.objects (bucket_id, name) select 'article-covers', pg_temp.id('ann') || '/' || gen_random_uuid() || '.jpg' from generate_series(1, 4);
select throws_ok($$insert into storage.objects (bucket_id, name) values ('article-covers', pg_temp.file('ann', '.jpg'))$$, '42501', 'There are too many files here.', 'and four covers that no article uses');
set local storage.allow_delete_query = 'true';
delete from storage.objects;
set local storage.allow_delete_query = '';
select pg_temp.act('ann');

-- The photo in use.
select throws_ok(format($$update public.profiles set photo = %L where id = pg_temp.id('ann')$$, pg_temp.file('ann', '')), 'PT404', null, 'a photo that was not uploaded is refused');
select pg_temp.upload('profile-photos', pg_temp.file('ann', '/large.jpg'));
select pg_temp.upload('profile-photos', pg_temp.file('ann', '/small.jpg'));
select lives_ok(format($$update public.profiles set photo = %L where id = pg_temp.id('ann')$$, pg_temp.file('ann', '')), 'the owner chooses the photo');
select throws_ok($$update public.profiles set full_name = 'x' where id = pg_temp.id('ann')$$, '42501', null, 'and changes nothing else');
set local role none;
insert into storage.objects (bucket_id, name) values ('profile-photos', pg_temp.file('cam', '/large.jpg'));
select pg_temp.act('ann');
select throws_ok(format($$update public.profiles set photo = %L where id = pg_temp.id('ann')$$, pg_temp.file('cam', '')), '23514', null, 'nor to another''s file');
select pg_temp.act('cob');
update public.profiles set photo = null where id = pg_temp.id('ann');
set local role none;
select is((select photo from public.profiles where id = pg_temp.id('ann')), pg_temp.file('ann', ''), 'nobody else does');
select pg_temp.act('mum');
select pg_temp.upload('profile-photos', pg_temp.file('kid', '/large.jpg'));
update public.profiles set photo = pg_temp.file('kid', '') where id = pg_temp.id('kid');
select pg_temp.act('kid');
update public.profiles set photo = null where id = pg_temp.id('kid');
set local role none;
select is((select photo from public.profiles where id = pg_temp.id('kid')), pg_temp.file('kid', ''), 'a guardian chooses for the ward, who does not');

-- Seeing.
select is(pg_temp.who_sees('profile-photos', pg_temp.file('ann', '/large.jpg')), 'anon kid tim mum ann cam cob new', 'the photo of a public profile is seen by all but the suspended');
select is(pg_temp.who_sees('profile-photos', pg_temp.file('kid', '/large.jpg')), 'kid mum cam', 'a child''s by the family, and verified coaches of the team');
update public.users set public_profile = false where id = pg_temp.id('ann');
select is(pg_temp.who_sees('profile-photos', pg_temp.file('ann', '/large.jpg')), 'ann', 'that of a hidden profile by nobody else');
select set_config('request.jwt.claims', jsonb_build_object('sub', pg_temp.id('ann'), 'role', 'authenticated', 'client_id', 'app')::text, true), set_config('role', 'authenticated', true);
select is((select count(*) from storage.objects), 0::bigint, 'another app sees no file');
select throws_ok($$select pg_temp.upload('profile-videos', pg_temp.file('ann', '.mp4'))$$, '42501', null, 'and adds none');
set local role none;

-- Signed URLs.
create function pg_temp.ended(file text) returns boolean
language sql
as $$ select (metadata ->> 'signedUrlsFrom')::bigint > extract(epoch from now()) from storage.objects where name = file $$;
create function pg_temp.forget() returns void
language sql
as $$ update storage.objects set metadata = metadata - 'signedUrlsFrom' $$;
select is(pg_temp.ended(pg_temp.file('ann', '/large.jpg')), true, 'hiding a profile ends its signed URLs');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), null, 'and nobody else''s');
select is(
  (select (metadata ->> 'signedUrlsFrom')::bigint from storage.objects where name = pg_temp.file('ann', '/large.jpg'))
    between extract(epoch from clock_timestamp()) + 200 and extract(epoch from clock_timestamp()) + 300, true,
  'also those that are made until a slow transaction ends');
create function pg_temp.ends() returns bigint
language sql
as $$ select private.end_signed_urls(pg_temp.id('ann'));
  select (metadata ->> 'signedUrlsFrom')::bigint from storage.objects where name = pg_temp.file('ann', '/large.jpg') $$;
select is(pg_temp.ends() < pg_temp.ends(), true, 'those between two ends within a second do not survive the second');
select pg_temp.forget();
update public.users set full_name = 'Ann Lee' where id = pg_temp.id('ann');
select is(pg_temp.ended(pg_temp.file('ann', '/large.jpg')), null, 'a new name does not');
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'A reason');
select is(pg_temp.ended(pg_temp.file('ann', '/large.jpg')), true, 'a suspension does');
delete from public.suspensions where user_id = pg_temp.id('ann');
select pg_temp.forget();
update public.guardianships set audience = 'family';
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'a narrower audience does');
select pg_temp.forget();
update public.guardianships set hides_profile = true;
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'a guardian who hides a profile does');
update public.guardianships set hides_profile = false, audience = 'team';
select pg_temp.forget();
delete from public.team_members where user_id = pg_temp.id('cam');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'a coach who leaves does for the players');
insert into public.team_members (team_id, user_id, role, status) values (pg_temp.id('vet'), pg_temp.id('cam'), 'coach', 'active');
select pg_temp.forget();
select pg_temp.act('ann');
select public.ask_to_join(pg_temp.id('vet'));
select public.leave_team(pg_temp.id('vet'));
set local role none;
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), null, 'who only asks to join ends nobody''s URLs');
select is(pg_temp.ended(pg_temp.file('ann', '/large.jpg')), true, 'but the own');
select pg_temp.forget();

-- Users who may have made signed URLs and now may see less.
insert into public.suspensions (user_id, reason) values (pg_temp.id('ann'), 'A reason');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), null, 'a suspended stranger has none of a child');
insert into public.suspensions (user_id, reason) values (pg_temp.id('cam'), 'A reason');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'those of a suspended coach end');
select is(pg_temp.ended(pg_temp.file('cam', '/large.jpg')), true, 'with those of the coach''s own profile');
select pg_temp.forget();
update public.suspensions set lifted_at = now() where user_id <> pg_temp.id('sus');
insert into public.suspensions (user_id, reason) values (pg_temp.id('mum'), 'A reason');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'so do those of a guardian');
delete from public.suspensions where user_id in (pg_temp.id('ann'), pg_temp.id('cam'), pg_temp.id('mum'));
select pg_temp.forget();
delete from private.coach_verifications;
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'those of a coach who is no longer verified end');
select pg_temp.forget();
insert into private.coach_verifications (coach_id) values (pg_temp.id('cam'));
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), null, 'a verification ends none');
update public.users set role = 'fan' where id = pg_temp.id('cam');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'another role does');
update public.users set role = 'coach' where id = pg_temp.id('cam');
select pg_temp.forget();
update public.users set role = 'scout' where id = pg_temp.id('sus');
update public.scouts set verified_at = now() where user_id = pg_temp.id('sus');
update public.scouts set verified_at = null where user_id = pg_temp.id('sus');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), null, 'a scout sees no child whose guardian has not allowed it');
update public.guardianships set audience = 'verified';
update public.scouts set verified_at = now() where user_id = pg_temp.id('sus');
select pg_temp.forget();
update public.scouts set verified_at = null where user_id = pg_temp.id('sus');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'those of a scout who is no longer verified end');
select pg_temp.forget();
update public.guardianships set audience = 'team';
update public.users set is_admin = true where id = pg_temp.id('new');
select pg_temp.forget();
update public.users set is_admin = false where id = pg_temp.id('new');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'those of a former admin end');
update public.users set is_admin = true where id = pg_temp.id('new');
select pg_temp.forget();
insert into public.suspensions (user_id, reason) values (pg_temp.id('new'), 'A reason');
select is(pg_temp.ended(pg_temp.file('kid', '/large.jpg')), true, 'and of a suspended one');
delete from public.suspensions where user_id = pg_temp.id('new');
update public.users set is_admin = false where id = pg_temp.id('new');
select pg_temp.forget();

-- A new photo.
insert into storage.objects (bucket_id, name, version) values
  ('profile-photos', pg_temp.id('ann') || '/' || pg_temp.id('two') || '/large.jpg', 'v2'),
  ('profile-photos', pg_temp.id('ann') || '/' || pg_temp.id('two') || '/small.jpg', 'v2');
update public.profiles set photo = pg_temp.id('ann') || '/' || pg_temp.id('two') where id = pg_temp.id('ann');
select is((select count(*) from storage.objects where bucket_id = 'profile-photos' and version <> 'v2' and name like pg_temp.id('ann') || '/%'), 0::bigint, 'a new photo removes the old one');
select results_eq(
  $$select bucket_id, name from private.removed_files order by name$$,
  $$values ('profile-photos', pg_temp.file('ann', '/large.jpg')), ('profile-photos', pg_temp.file('ann', '/small.jpg'))$$,
  'whose files the storage service then removes');
select is((select count(*) from private.removed_files where version is null), 0::bigint, 'it knows their versions');
select is(current_setting('storage.allow_delete_query', true), '', 'the permission to delete rows lasts no longer');

-- Logos.
insert into storage.objects (bucket_id, name, version) values ('team-logos', pg_temp.file('own', '.png'), 'v1'), ('team-logos', pg_temp.file('vet', '.png'), 'v1');
select pg_temp.act('cob');
select lives_ok($$update public.teams set logo = pg_temp.file('own', '.png') where id = pg_temp.id('own')$$, 'a coach chooses the logo');
select throws_ok($$update public.teams set logo = pg_temp.file('vet', '.png') where id = pg_temp.id('vet')$$, '42501', null, 'of a vetted team only a verified one');
set local role none;
select is(pg_temp.who_sees('team-logos', pg_temp.file('vet', '.png')), 'anon kid tim mum ann cam cob new', 'the logo of a vetted team is seen by all');
select is(pg_temp.who_sees('team-logos', pg_temp.file('own', '.png')), 'mum ann cam cob', 'that of another by adults');
delete from public.teams where id = pg_temp.id('own');
select is((select count(*) from storage.objects where name = pg_temp.file('own', '.png')), 0::bigint, 'a logo goes with its team');

-- Videos.
select pg_temp.act('mum');
select throws_ok($$insert into public.videos (player_id, title, path) values (pg_temp.id('kid'), 'Swing', pg_temp.file('kid', '.mp4'))$$, 'PT404', null, 'a video that was not uploaded is refused');
select pg_temp.upload('profile-videos', pg_temp.file('kid', '.mp4'));
select lives_ok($$insert into public.videos (player_id, title, path) values (pg_temp.id('kid'), 'Swing', pg_temp.file('kid', '.mp4'))$$, 'a guardian adds a video');
select throws_ok($$insert into public.videos (player_id, title) values (pg_temp.id('kid'), 'Swing')$$, '23514', null, 'a video is a link or a file');
select throws_ok($$insert into public.videos (player_id, title, path, url) values (pg_temp.id('kid'), 'Swing', pg_temp.file('kid', '.mp4'), 'https://v.example/1')$$, '23514', null, 'and not both');
delete from public.videos;
set local role none;
select is((select count(*) from storage.objects where bucket_id = 'profile-videos'), 0::bigint, 'the file goes with the video');
select is((select count(*) from private.removed_files where bucket_id = 'profile-videos'), 1::bigint, 'from the disk, too');

-- The end of a consent, and of an account.
select pg_temp.act('mum');
select pg_temp.upload('profile-videos', pg_temp.file('kid', '.mp4'));
insert into public.videos (player_id, title, path) values (pg_temp.id('kid'), 'Swing', pg_temp.file('kid', '.mp4'));
set local role none;
-- The storage service writes the row as itself, with the owner of the token.
create function pg_temp.arrive(owner text, sender text) returns void
language sql
as $$ insert into storage.objects (bucket_id, name, owner_id)
  values ('profile-videos', pg_temp.id(owner) || '/' || gen_random_uuid() || '.mp4', pg_temp.id(sender)::text) $$;
set local role service_role;
select lives_ok($$select pg_temp.arrive('kid', 'mum')$$, 'what a guardian has begun to upload arrives');
select throws_ok($$select pg_temp.arrive('kid', 'kid')$$, '42501', 'A guardian has to add the photos and videos of a minor.', 'nobody else adds a child''s files, whatever a token says');
select lives_ok($$select pg_temp.arrive('cam', 'cam')$$, 'an adult adds the own');
select throws_ok($$select pg_temp.arrive('tim', 'mum')$$, '42501', null, 'nobody those of a minor without a guardian');
select throws_ok($$select pg_temp.arrive('new', 'new')$$, '42501', null, 'nor of somebody without a birth date');
select lives_ok($$insert into storage.objects (bucket_id, name) values ('profile-videos', pg_temp.id('kid') || '/' || gen_random_uuid() || '.mp4')$$, 'a file without an owner is one of the service');
set local role none;
update public.guardianships set status = 'revoked';
select is((select count(*) from storage.objects where name like pg_temp.id('kid') || '/%'), 0::bigint, 'without a guardian a minor''s files go');
set local role service_role;
select throws_ok($$select pg_temp.arrive('kid', 'mum')$$, '42501', null, 'what arrives later is refused');
set local role none;
select is((select (select photo is null from public.profiles where id = pg_temp.id('kid')) and not exists (select from public.videos)), true, 'and what names them');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('profile-videos', pg_temp.file('kid', '.mp4'))$$, '42501', 'A guardian has to add the photos and videos of a minor.', 'what the guardian had begun to upload is refused');
insert into public.guardianships (ward_id, guardian_id, invited_email, status) values (pg_temp.id('kid'), pg_temp.id('cob'), 'cob@example.com', 'accepted');
select throws_ok($$insert into storage.objects (bucket_id, name, owner_id) values ('profile-videos', pg_temp.file('kid', '.mp4'), pg_temp.id('mum')::text)$$, '42501', null, 'also while there is another guardian');
select lives_ok($$insert into storage.objects (bucket_id, name, owner_id) values ('profile-videos', pg_temp.file('kid', '.mp4'), pg_temp.id('cob')::text)$$, 'who goes on uploading');
insert into public.suspensions (user_id, reason) values (pg_temp.id('cob'), 'A reason');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('profile-videos', pg_temp.file('kid', '.mov'))$$, '42501', null, 'but not while suspended');
delete from public.suspensions where user_id = pg_temp.id('cob');
delete from private.removed_files;
delete from auth.users where id = pg_temp.id('ann');
select is((select count(*) from storage.objects where name like pg_temp.id('ann') || '/%'), 0::bigint, 'the files of a deleted account go');
select is((select count(*) from private.removed_files where name like pg_temp.id('ann') || '/%'), 2::bigint, 'from the disk, too');

select throws_ok($$insert into storage.objects (bucket_id, name) values ('profile-videos', pg_temp.file('ann', '.mp4'))$$, '42501', 'The owner of the file is not there any more.', 'what arrives later is refused');

select * from finish();
rollback;

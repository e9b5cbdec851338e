-- Files: photos and videos of people, logos of teams. No bucket is public, so that every file is read either by a user who
-- may see it, or by a signed URL that such a user was given.

-- The app's limits; the storage service removes place and camera from everything in these buckets (dugout.toml).
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('profile-photos', 'profile-photos', false, 2 * 1024 * 1024, array['image/jpeg']),
  ('profile-videos', 'profile-videos', false, 200 * 1024 * 1024, array['video/mp4', 'video/webm', 'video/quicktime']),
  ('team-logos', 'team-logos', false, 1024 * 1024, array['image/png'])
on conflict (id) do update
set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- The photo in use: the folder of its two sizes in the bucket profile-photos, <id>/<random>/large.jpg and small.jpg.
alter table public.profiles add column photo text check (
  split_part(photo, '/', 1) = id::text and photo ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$');
-- The logo in use: <id>/<random>.png in the bucket team-logos.
alter table public.teams add column logo text check (
  split_part(logo, '/', 1) = id::text and logo ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.png$');
-- A video is a link, or a file <player's id>/<random>.<type> in the bucket profile-videos.
alter table public.videos
  alter column url drop not null,
  add column path text unique check (
    split_part(path, '/', 1) = player_id::text and path ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(mp4|webm|mov)$'),
  add constraint videos_link_or_file check (num_nonnulls(url, path) = 1);

-- The people whose files the caller adds, replaces and removes. Adults keep their own. A minor's are kept by the guardian: to
-- add a picture is to consent to it. Before the birth date is known a user counts as a minor.
create function private.kept_people() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select auth.uid()
  where not private.is_minor(auth.uid()) and not private.is_suspended() and private.is_own_app()
  union select private.active_wards()
$$;
revoke all on function private.kept_people() from public;
grant execute on function private.kept_people() to authenticated;

-- Names are visible to many, so a logo, like the name of a vetted team, comes from a verified coach.
create function private.keeps_logo(team uuid) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select coalesce(
    team in (select private.coached_teams()) and private.is_own_app()
    and (private.is_verified_coach() or not (select t.vetted from public.teams as t where t.id = team)), false)
$$;
revoke all on function private.keeps_logo(uuid) from public;
grant execute on function private.keeps_logo(uuid) to authenticated;

-- Files that were uploaded and never used count, too. More than these few are in nobody's way but our disk's.
create function private.has_room(bucket text, folder text) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select count(*) < case bucket when 'profile-photos' then 6 when 'profile-videos' then 12 else 4 end
  from storage.objects as o
  -- In the order of the index: "0" follows "/".
  where o.bucket_id = bucket and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0'
$$;
revoke all on function private.has_room(text, text) from public;
grant execute on function private.has_room(text, text) to authenticated;

-- The owner of a file as its name says, for names that the policies below have let in.
create function private.owner_of(name text) returns uuid
language sql immutable
set search_path = ''
as $$
  select case when name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then split_part(name, '/', 1)::uuid end
$$;
revoke all on function private.owner_of(text) from public;
grant execute on function private.owner_of(text) to authenticated;

-- The policies of profiles and teams apply inside. Visitors have no right to call functions of the schema private.
create policy "files of the people and teams one sees" on storage.objects
  for select to anon, authenticated
  using (case
    when name !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then false
    when bucket_id in ('profile-photos', 'profile-videos')
      then exists (select from public.profiles as p where p.id = split_part(objects.name, '/', 1)::uuid)
    when bucket_id = 'team-logos' then exists (select from public.teams as t where t.id = split_part(objects.name, '/', 1)::uuid)
    else false end);
create policy "adults and guardians add photos and videos" on storage.objects
  for insert to authenticated
  with check (
    private.owner_of(name) in (select private.kept_people()) and private.has_room(bucket_id, split_part(name, '/', 1))
    and case bucket_id
      when 'profile-photos' then name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}/(large|small)\.jpg$'
      when 'profile-videos' then name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(mp4|webm|mov)$'
      else false end);
create policy "coaches add logos" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'team-logos' and name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.png$'
    and private.keeps_logo(private.owner_of(name)) and private.has_room(bucket_id, split_part(name, '/', 1)));
-- A file is never overwritten or moved, so there is no policy for updates: a new picture has a new name.
create policy "adults and guardians remove photos and videos" on storage.objects
  for delete to authenticated
  using (bucket_id in ('profile-photos', 'profile-videos') and private.owner_of(name) in (select private.kept_people()));
create policy "coaches remove logos" on storage.objects
  for delete to authenticated
  using (bucket_id = 'team-logos' and private.keeps_logo(private.owner_of(name)));

create policy "adults and guardians choose the photo" on public.profiles
  for update to authenticated
  using (id in (select private.kept_people()));
grant select (photo) on table public.profiles to anon, authenticated;
grant update (photo) on table public.profiles to authenticated;
grant select (logo) on table public.teams to anon, authenticated;
grant update (logo) on table public.teams to authenticated;
grant insert (path) on table public.videos to authenticated;

-- What the app asks before it offers to add a file.
create function public.may_keep_files(person uuid) returns boolean
language sql stable
set search_path = ''
as $$ select person in (select private.kept_people()) $$;
revoke all on function public.may_keep_files(uuid) from public, anon, authenticated;
grant execute on function public.may_keep_files(uuid) to authenticated;

-- Rows name only files that exist, and a logo only one that the caller may show.
create function private.check_file() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  bucket constant text := tg_argv[0];
  file constant text := to_jsonb(new) ->> tg_argv[1];
begin
  if not exists (
    select from storage.objects as o
    where o.bucket_id = bucket and (o.name = file or (bucket = 'profile-photos' and o.name = file || '/large.jpg')))
  then
    raise exception 'The file is not there any more.' using errcode = 'PT404', hint = 'Upload it again.';
  end if;
  if bucket = 'team-logos' and auth.uid() is not null and not private.keeps_logo((to_jsonb(new) ->> 'id')::uuid) then
    raise exception 'Only verified coaches give this team a logo.' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.check_file() from public;
create trigger check_photo before update of photo on public.profiles
  for each row when (new.photo is not null and new.photo is distinct from old.photo)
  execute function private.check_file('profile-photos', 'photo');
create trigger check_logo before update of logo on public.teams
  for each row when (new.logo is not null and new.logo is distinct from old.logo)
  execute function private.check_file('team-logos', 'logo');
create trigger check_file before insert on public.videos
  for each row when (new.path is not null)
  execute function private.check_file('profile-videos', 'path');

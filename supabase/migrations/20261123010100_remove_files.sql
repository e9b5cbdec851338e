-- Files go with what they belong to, and signed URLs end when fewer people may see a profile.

-- Objects whose rows were deleted here. With `removals = true` in dugout.toml the storage service removes their files and then
-- these rows; elsewhere a job with the Storage API has to. Until then nobody can read the files, because they have no rows.
create table private.removed_files (
  id bigint generated always as identity primary key,
  bucket_id text not null,
  name text not null,
  version text,
  removed_at timestamptz not null default now()
);
grant usage on schema private to service_role;
grant select, update, delete on table private.removed_files to service_role;

-- Deletes the objects of a bucket below a folder, except those whose names begin with `kept`.
create function private.remove_files(bucket text, folder text, kept text default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  before constant text := coalesce(current_setting('storage.allow_delete_query', true), '');
begin
  -- The storage service refuses the deletion of rows otherwise, because their files would stay for ever.
  perform set_config('storage.allow_delete_query', 'true', true);
  with gone as (
    delete from storage.objects as o
    -- In the order of the index: "0" follows "/".
    where o.bucket_id = bucket and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0'
      and (kept is null or not starts_with(o.name, kept))
    returning o.bucket_id, o.name, o.version
  )
  insert into private.removed_files (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone as g;
  perform set_config('storage.allow_delete_query', before, true);
  notify storage_removed_files;
end
$$;
revoke all on function private.remove_files(text, text, text) from public;

create function private.replace_photo() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remove_files('profile-photos', old.id::text, new.photo || '/');
  return null;
end
$$;
revoke all on function private.replace_photo() from public;
create trigger replace_photo after update of photo on public.profiles
  for each row when (new.photo is distinct from old.photo) execute function private.replace_photo();

create function private.replace_logo() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remove_files('team-logos', old.id::text, new.logo);
  return null;
end
$$;
revoke all on function private.replace_logo() from public;
create trigger replace_logo after update of logo on public.teams
  for each row when (new.logo is distinct from old.logo) execute function private.replace_logo();

create function private.remove_logos() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remove_files('team-logos', old.id::text);
  return null;
end
$$;
revoke all on function private.remove_logos() from public;
create trigger remove_logos after delete on public.teams for each row execute function private.remove_logos();

create function private.remove_video() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  before constant text := coalesce(current_setting('storage.allow_delete_query', true), '');
begin
  perform set_config('storage.allow_delete_query', 'true', true);
  with gone as (
    delete from storage.objects as o where o.bucket_id = 'profile-videos' and o.name = old.path
    returning o.bucket_id, o.name, o.version
  )
  insert into private.removed_files (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone as g;
  perform set_config('storage.allow_delete_query', before, true);
  notify storage_removed_files;
  return null;
end
$$;
revoke all on function private.remove_video() from public;
create trigger remove_video after delete on public.videos
  for each row when (old.path is not null) execute function private.remove_video();

-- Whatever deletes an account: the user, a guardian, an admin, the auth service.
create function private.remove_all_files() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remove_files('profile-photos', old.id::text);
  perform private.remove_files('profile-videos', old.id::text);
  return null;
end
$$;
revoke all on function private.remove_all_files() from public;
create trigger remove_all_files after delete on public.profiles
  for each row execute function private.remove_all_files();

-- An upload whose owner is deleted meanwhile. The service asks the policies before it reads the file, and then writes the row
-- as itself. The lock makes one of both wait.
create function private.check_owner_of_file() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.bucket_id = 'team-logos' then
    perform from public.teams as t where t.id = private.owner_of(new.name) for key share;
  else
    perform from public.profiles as p where p.id = private.owner_of(new.name) for key share;
  end if;
  if not found then
    raise exception 'The owner of the file is not there any more.' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.check_owner_of_file() from public;
create trigger check_owner_of_file before insert on storage.objects
  for each row when (new.bucket_id in ('profile-photos', 'profile-videos', 'team-logos'))
  execute function private.check_owner_of_file();

-- Without a guardian nobody has consented to a minor's pictures.
create function private.remove_unconsented_files() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := coalesce(to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]);
begin
  if private.is_minor(person) and not exists (
    select from public.guardianships as g where g.ward_id = person and g.status = 'accepted')
  then
    update public.profiles set photo = null where id = person and photo is not null;
    delete from public.videos where player_id = person and path is not null;
    perform private.remove_files('profile-photos', person::text);
    perform private.remove_files('profile-videos', person::text);
  end if;
  return null;
end
$$;
revoke all on function private.remove_unconsented_files() from public;
create trigger remove_unconsented_files after insert or update or delete on public.birth_dates
  for each row execute function private.remove_unconsented_files('user_id');
create trigger remove_unconsented_files after update of status or delete on public.guardianships
  for each row execute function private.remove_unconsented_files('ward_id');

-- The storage service takes no signed URL for an object that was made before `signedUrlsFrom`, in seconds since 1970.
create function private.end_signed_urls(person uuid) returns void
language sql security definer
set search_path = ''
as $$
  update storage.objects as o
  set metadata = coalesce(o.metadata, '{}')
    || jsonb_build_object('signedUrlsFrom', floor(extract(epoch from clock_timestamp()))::bigint + 1)
  where o.bucket_id in ('profile-photos', 'profile-videos')
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;
revoke all on function private.end_signed_urls(uuid) from public;

create function private.end_urls_of_profile() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.end_signed_urls(old.id);
  return null;
end
$$;
revoke all on function private.end_urls_of_profile() from public;
-- Suspensions, birth dates and guardians who hide a profile change shown_from.
create trigger end_signed_urls after update of public_profile, shown_from on public.profiles
  for each row when (new.public_profile is distinct from old.public_profile or new.shown_from is distinct from old.shown_from)
  execute function private.end_urls_of_profile();

create function private.end_urls_of_ward() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.end_signed_urls(old.ward_id);
  return null;
end
$$;
revoke all on function private.end_urls_of_ward() from public;
create trigger end_signed_urls after update of status, hides_profile, audience or delete on public.guardianships
  for each row execute function private.end_urls_of_ward();

-- A coach who leaves a team sees its players no longer, and they no longer see one another.
create function private.end_urls_of_team() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.end_signed_urls(m.user_id)
  from public.team_members as m where m.team_id = old.team_id and m.user_id <> old.user_id;
  perform private.end_signed_urls(old.user_id);
  return null;
end
$$;
revoke all on function private.end_urls_of_team() from public;
create trigger end_signed_urls after delete on public.team_members
  for each row execute function private.end_urls_of_team();

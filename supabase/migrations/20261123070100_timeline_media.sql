-- Photos and videos of posts: <author>/<random>.<type> in the bucket post-media. Adults add them; who reads the post reads
-- the file.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('post-media', 'post-media', false, 200 * 1024 * 1024, array['image/jpeg', 'video/mp4', 'video/webm', 'video/quicktime'])
on conflict (id) do update
set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- At most four files that no post uses, and 500 in all.
create function private.has_post_room(folder uuid) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select count(*) < 500 and count(*) filter (where not exists (select from public.posts as p where p.media = o.name)) < 4
  from storage.objects as o
  -- In the order of the index: "0" follows "/".
  where o.bucket_id = 'post-media' and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0'
$$;
revoke all on function private.has_post_room(uuid) from public;
grant execute on function private.has_post_room(uuid) to authenticated;

create policy "files of the posts one sees" on storage.objects
  for select to authenticated
  using (bucket_id = 'post-media'
    and (exists (select from public.posts as p where p.media = objects.name)
      or split_part(name, '/', 1) = (select auth.uid())::text));
create policy "adults add files of posts" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'post-media' and name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(jpg|mp4|webm|mov)$'
    and private.owner_of(name) = (select auth.uid()) and private.owner_of(name) in (select private.kept_people())
    and private.has_post_room(private.owner_of(name)));
create policy "authors remove files of posts" on storage.objects
  for delete to authenticated
  using (bucket_id = 'post-media' and private.owner_of(name) = (select auth.uid()) and (select private.is_own_app()));

-- The upload of somebody who is deleted meanwhile: see 20261123010100.
create trigger check_owner_of_post_file before insert on storage.objects
  for each row when (new.bucket_id = 'post-media') execute function private.check_owner_of_file();

-- The file goes with the post, and its signed URLs end when an admin or reports hide the post.
create function private.keep_post_file() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  before constant text := coalesce(current_setting('storage.allow_delete_query', true), '');
begin
  if tg_op = 'UPDATE' then
    update storage.objects as o
    set metadata = private.metadata_without_urls(o.metadata)
    where o.bucket_id = 'post-media' and o.name = old.media;
    return null;
  end if;
  perform set_config('storage.allow_delete_query', 'true', true);
  with gone as (
    delete from storage.objects as o where o.bucket_id = 'post-media' and o.name = old.media
    returning o.bucket_id, o.name, o.version
  )
  insert into private.removed_files (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone as g;
  perform set_config('storage.allow_delete_query', before, true);
  notify storage_removed_files;
  return null;
end
$$;
revoke all on function private.keep_post_file() from public;
create trigger remove_post_file after delete on public.posts
  for each row when (old.media is not null) execute function private.keep_post_file();
create trigger end_post_urls after update of state on public.posts
  for each row when (old.media is not null and new.state <> 'shown' and old.state = 'shown')
  execute function private.keep_post_file();

-- As in 20261123010100, with the files of posts.
create or replace function private.remove_all_files() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remove_files('profile-photos', old.id::text);
  perform private.remove_files('profile-videos', old.id::text);
  perform private.remove_files('post-media', old.id::text);
  return null;
end
$$;

-- As in 20261123050500, with the files of posts.
create or replace function private.end_signed_urls(person uuid) returns void
language sql security definer
set search_path = ''
as $$
  update storage.objects as o
  set metadata = private.metadata_without_urls(o.metadata)
  where o.bucket_id in ('profile-photos', 'profile-videos', 'post-media')
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;

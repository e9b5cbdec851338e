-- Until a transaction that hides a profile or a post ends, others see it and make signed URLs, which survived their end.

-- The metadata of an object whose signed URLs end: the storage service takes none that was made before `signedUrlsFrom`, in seconds
-- since 1970. Those of the next five minutes end, too; a URL that is made after the transaction counts as made after them. A
-- second end within a second is a later one.
create function private.metadata_without_urls(metadata jsonb) returns jsonb
language sql
set search_path = ''
as $$
  select coalesce(metadata, '{}') || jsonb_build_object('signedUrlsFrom', greatest(
    floor(extract(epoch from clock_timestamp()))::bigint + 300, (metadata ->> 'signedUrlsFrom')::bigint + 1))
$$;
revoke all on function private.metadata_without_urls(jsonb) from public;

create or replace function private.end_signed_urls(person uuid) returns void
language sql security definer
set search_path = ''
as $$
  update storage.objects as o
  set metadata = private.metadata_without_urls(o.metadata)
  where o.bucket_id in ('profile-photos', 'profile-videos', 'post-media')
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;

-- As in 20261123070100, with that.
create or replace function private.keep_post_file() returns trigger
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

-- Until a transaction that hides a profile ends, others see it and make signed URLs, which survived its end.

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
  where o.bucket_id in ('profile-photos', 'profile-videos')
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;

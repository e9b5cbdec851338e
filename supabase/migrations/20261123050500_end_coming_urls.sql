-- The storage service takes no signed URL for an object that was made before `signedUrlsFrom`, in seconds since 1970. Until the
-- transaction ends others see the profile and make URLs, so these five minutes end, too; a URL that is made later counts as made
-- after them. A second end within a second is a later one.
create or replace function private.end_signed_urls(person uuid) returns void
language sql security definer
set search_path = ''
as $$
  update storage.objects as o
  set metadata = coalesce(o.metadata, '{}') || jsonb_build_object('signedUrlsFrom', greatest(
    floor(extract(epoch from clock_timestamp()))::bigint + 300, (o.metadata ->> 'signedUrlsFrom')::bigint + 1))
  where o.bucket_id in ('profile-photos', 'profile-videos')
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;
revoke all on function private.end_signed_urls(uuid) from public;

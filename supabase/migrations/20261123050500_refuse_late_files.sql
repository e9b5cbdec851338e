-- Files that arrive after the consent to them has ended, and signed URLs that were made while a profile was being hidden.

-- An upload whose owner is deleted meanwhile, or whose guardian. The storage service asks the policies before it reads the file;
-- with a token for an upload it asks them when it makes the token, two hours earlier. The locks make one of both wait: the
-- upload, or what deletes an account or ends a consent and then removes the files. A deletion takes them in this order, too.
create or replace function private.check_owner_of_file() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.owner_of(new.name);
begin
  if new.bucket_id = 'team-logos' then
    perform from public.teams as t where t.id = person for key share;
  else
    perform from public.birth_dates as b where b.user_id = person for share;
    perform from public.guardianships as g
    where g.ward_id = person and g.status = 'accepted' and g.guardian_id::text = coalesce(new.owner_id, g.guardian_id::text)
    for share;
    if not found and private.is_minor(person) and exists (select from public.profiles as p where p.id = person) then
      raise exception 'A guardian has to add the photos and videos of a minor.' using errcode = '42501';
    end if;
    perform from public.profiles as p where p.id = person for key share;
  end if;
  if not found then
    raise exception 'The owner of the file is not there any more.' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.check_owner_of_file() from public;

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

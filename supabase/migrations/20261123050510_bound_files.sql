-- What may still become a file when its body has arrived. The storage service asks the policies before it reads a body, perhaps
-- two hours earlier when it signs an upload URL, and then writes the row as itself.

-- Whether a folder has room for another file. Buckets that are not named here have no such limit.
create or replace function private.has_room(bucket text, folder text) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select coalesce(
    count(*) < case bucket when 'profile-photos' then 6 when 'profile-videos' then 12 when 'team-logos' then 4 end, true)
  from storage.objects as o
  -- In the order of the index: "0" follows "/".
  where o.bucket_id = bucket and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0'
$$;

-- Refuses the row of a file whose owner was deleted meanwhile, that has no room any more, or that shows a minor without consent:
-- a minor needs a guardian, and a guardian's upload needs that guardian. The lock makes uploads for one owner wait for one
-- another and for the end of a guardianship, so that none of them reads an old number of files or an old consent.
create or replace function private.check_owner_of_file() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  owner constant uuid := private.owner_of(new.name);
begin
  if new.bucket_id = 'team-logos' then
    perform from public.teams as t where t.id = owner for no key update;
  else
    perform from public.profiles as p where p.id = owner for no key update;
  end if;
  if not found then
    raise exception 'The owner of the file is not there any more.' using errcode = '42501';
  elsif new.bucket_id <> 'team-logos' and private.is_minor(owner) and not (
    private.has_guardian(owner)
    -- Without an owner it is a file of the service.
    and (new.owner_id is null or exists (
      select from public.guardianships as g
      where g.ward_id = owner and g.status = 'accepted' and g.guardian_id::text = new.owner_id)))
  then
    raise exception 'A guardian has to add the photos and videos of a minor.' using errcode = '42501';
  elsif not private.has_room(new.bucket_id, owner::text)
    -- An upsert of a file that is there adds none.
    and not exists (select from storage.objects as o where o.bucket_id = new.bucket_id and o.name = new.name)
  then
    raise exception 'There are too many files here.' using errcode = '42501', hint = 'Remove some first.';
  end if;
  return new;
end
$$;

-- As in 20261123010100, with the lock.
create or replace function private.remove_unconsented_files() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := coalesce(to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]);
begin
  perform from public.profiles as p where p.id = person for no key update;
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

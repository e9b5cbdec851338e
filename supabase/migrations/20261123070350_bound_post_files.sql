-- As in 20261123050510, with the room for files of posts: signed upload URLs do not add more of them than the policy allows.
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
  elsif not (case new.bucket_id
      when 'post-media' then private.has_post_room(owner) else private.has_room(new.bucket_id, owner::text) end)
    -- An upsert of a file that is there adds none.
    and not exists (select from storage.objects as o where o.bucket_id = new.bucket_id and o.name = new.name)
  then
    raise exception 'There are too many files here.' using errcode = '42501', hint = 'Remove some first.';
  end if;
  return new;
end
$$;

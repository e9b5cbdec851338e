-- Signed URLs also end when the person who may have made them may see less.

-- Ends the signed URLs of everybody whom a user may have seen and strangers do not: members of the user's teams and of the wards'
-- teams, the wards, the children whose guardians show them to verified coaches and scouts, and for admins all minors.
create function private.end_urls_of_seen(viewer uuid, was_admin boolean) returns void
language sql security definer
set search_path = ''
as $$
  with family as materialized (
    select viewer as id
    union select g.ward_id from public.guardianships as g where g.guardian_id = viewer and g.status = 'accepted'
  ), seen as (
    select f.id from family as f
    union
    select them.user_id
    from family as f
    join public.team_members as me on me.user_id = f.id and me.status = 'active'
    join public.team_members as them on them.team_id = me.team_id
    union
    select g.ward_id from public.guardianships as g
    where g.status = 'accepted' and g.audience = 'verified' and (
      exists (select from public.coaches as c where c.user_id = viewer)
      or exists (select from public.scouts as s where s.user_id = viewer))
    union
    select b.user_id from public.birth_dates as b
    where was_admin and b.birth_date > (private.today() - interval '18 years')::date
  )
  select private.end_signed_urls(s.id) from seen as s where s.id <> viewer
$$;
revoke all on function private.end_urls_of_seen(uuid, boolean) from public;

create function private.end_urls_of_viewer() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  viewer constant uuid := to_jsonb(new) ->> tg_argv[0];
begin
  perform private.end_urls_of_seen(viewer, case tg_table_name
    when 'users' then (to_jsonb(old) ->> 'is_admin')::boolean
    else exists (select from public.users as u where u.id = viewer and u.is_admin) end);
  return null;
end
$$;
revoke all on function private.end_urls_of_viewer() from public;
create trigger end_signed_urls after insert on public.suspensions
  for each row when (new.lifted_at is null) execute function private.end_urls_of_viewer('user_id');
create trigger end_signed_urls after update of verified_at on public.coaches
  for each row when (old.verified_at is not null and new.verified_at is null) execute function private.end_urls_of_viewer('user_id');
create trigger end_signed_urls after update of verified_at on public.scouts
  for each row when (old.verified_at is not null and new.verified_at is null) execute function private.end_urls_of_viewer('user_id');
create trigger end_signed_urls after update of role, is_admin on public.users
  for each row when (old.role is distinct from new.role or (old.is_admin and not new.is_admin))
  execute function private.end_urls_of_viewer('id');

-- As in 20261123010100. A user who only asked to join or was invited has not seen the team's files: leaving then ends
-- no URLs of the team, which outsiders could otherwise do in a loop.
create or replace function private.end_urls_of_team() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if old.status = 'active' then
    perform private.end_signed_urls(m.user_id)
    from public.team_members as m where m.team_id = old.team_id and m.user_id <> old.user_id;
  end if;
  perform private.end_signed_urls(old.user_id);
  return null;
end
$$;

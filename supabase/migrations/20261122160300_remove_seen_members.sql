-- A coach removes only members whom the coach sees. Otherwise the answer would reveal whether a hidden child is on the team.
create or replace function public.leave_team(team_id uuid, user_id uuid default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  delete from public.team_members as m
  where m.team_id = leave_team.team_id and m.user_id = coalesce(leave_team.user_id, uid)
    and (m.user_id = uid or m.user_id in (select private.wards())
      or (m.team_id in (select private.coached_teams()) and m.user_id in (select private.coached_members())
        and (m.role = 'player' or m.status <> 'active')));
  if not found then
    raise exception 'This membership is not yours to end.' using errcode = '42501';
  end if;
end
$$;

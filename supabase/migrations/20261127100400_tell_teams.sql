-- Posts to a team, and milestones, whose players may be children, are told on the team's own channel: everybody else would learn
-- when the team writes, and the posts' ids.

create policy "members join the timeline of their teams" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast' and topic in (select 'timeline:' || t.id::text from private.own_teams() as t (id))
    and not (select private.is_suspended()) and (select private.is_own_app())
  );

-- As in 20261123070200, with the channels of teams.
create or replace function private.tell_timeline() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  told public.posts;
begin
  -- What seeds and operators write is told to nobody.
  if auth.uid() is null then
    return null;
  end if;
  told := case tg_op when 'DELETE' then old else new end;
  perform realtime.send(
    jsonb_build_object('id', told.id, 'gone', tg_op = 'DELETE' or told.state <> 'shown'), 'post',
    case when told.visibility = 'team' or told.kind = 'milestone' then concat('timeline:', told.team_id) else 'timeline' end, true);
  return null;
exception
  when others then
    raise warning 'The timeline was not told: %', sqlerrm;
    return null;
end
$$;

-- A commitment can be announced to a team when it is added.

-- As in 20261124020600, and to a team of the player. audience: team, followers, public or nobody. team: for the audience team.
drop function public.add_commitment(uuid, text, text, date, text);
create function public.add_commitment(player uuid, program text, status text, committed_on date, audience text, team uuid default null) returns uuid
language plpgsql security invoker
set search_path = ''
as $$
declare
  added uuid;
begin
  insert into public.commitments (player_id, program, status, committed_on)
  values (add_commitment.player, add_commitment.program, add_commitment.status, add_commitment.committed_on)
  returning id into added;
  if audience is distinct from 'nobody' then
    perform public.announce_commitment(added, add_commitment.audience, add_commitment.team);
  end if;
  return added;
end
$$;
revoke all on function public.add_commitment(uuid, text, text, date, text, uuid) from public, anon, authenticated;
grant execute on function public.add_commitment(uuid, text, text, date, text, uuid) to authenticated;

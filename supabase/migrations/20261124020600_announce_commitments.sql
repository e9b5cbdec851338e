-- Announcements of commitments on the timeline. The player or the guardian can announce one, if the player is 13 or older. The
-- post always matches the commitment: it changes with it, and is deleted when the commitment is withdrawn or deleted.

alter table public.posts add column commitment_id uuid references public.commitments (id) on delete cascade;
create unique index posts_commitment_key on public.posts (commitment_id);
alter table public.posts drop constraint posts_kind_check, drop constraint posts_game;
alter table public.posts
  add constraint posts_kind_check check (kind in ('post', 'result', 'milestone', 'commitment')),
  add constraint posts_game check (kind in ('post', 'commitment') or game_id is not null),
  add constraint posts_commitment check ((kind = 'commitment') = (commitment_id is not null));
grant select (commitment_id) on table public.posts to authenticated;

-- `Committed to Stanford.`
create function private.commitment_words(commitment public.commitments) returns text
language sql immutable
set search_path = ''
as $$ select case commitment.status when 'signed' then 'Signed with ' else 'Committed to ' end || btrim(commitment.program) || '.' $$;
revoke all on function private.commitment_words(public.commitments) from public;

-- Announces a commitment. audience: team (then `team` is one of the player's teams), followers or public. Returns the post's id.
create function public.announce_commitment(commitment uuid, audience text, team uuid default null) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  announced public.commitments;
  post uuid;
begin
  select c.* into announced from public.commitments as c
  where c.id = announce_commitment.commitment and private.is_own_app()
    and ((c.player_id = uid and private.may_publish(uid)) or c.player_id in (select private.active_wards()));
  if announced.id is null then
    raise exception 'There is no such commitment.' using errcode = 'PT404';
  elsif coalesce(private.age(announced.player_id) < 13, true) then
    raise exception 'Commitments are announced from 13 on.' using errcode = '42501';
  elsif announced.status = 'withdrawn' then
    raise exception 'This commitment is withdrawn.' using errcode = 'PT409';
  elsif coalesce(audience not in ('team', 'followers', 'public'), true) then
    raise exception 'The audience is team, followers or public.' using errcode = 'PT400';
  elsif (audience = 'team') <> exists (
    select from public.team_members as m
    where m.team_id = announce_commitment.team and m.user_id = announced.player_id and m.role = 'player' and m.status = 'active')
  then
    raise exception 'Choose a team of the player.' using errcode = 'PT400';
  elsif audience = 'public' and not exists (
    select from public.profiles as p where p.id = announced.player_id and p.public_profile and p.shown_from <= private.today())
  then
    raise exception 'The profile is not public, so nobody would see a public announcement.' using errcode = '42501',
      hint = 'Tell the team or the followers, or make the profile public in Settings.';
  -- Every announcement reaches all open timelines, even if it is deleted right away, so it counts towards the limit of posts.
  elsif not private.may_write(uid, 'post', 30, '1 day') then
    raise exception 'Thirty posts a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  insert into public.posts (kind, author_id, visibility, team_id, body, commitment_id)
  values ('commitment', announced.player_id, audience, announce_commitment.team, private.commitment_words(announced), announced.id)
  on conflict (commitment_id) do nothing returning id into post;
  if post is null then
    raise exception 'This commitment is announced already.' using errcode = 'PT409', hint = 'Delete that post first to tell others.';
  end if;
  return post;
end
$$;
revoke all on function public.announce_commitment(uuid, text, uuid) from public, anon, authenticated;
grant execute on function public.announce_commitment(uuid, text, uuid) to authenticated;

-- Adds a commitment and announces it, in one transaction. audience: followers, public or nobody. Runs as the caller, so that the
-- row policies of commitments decide who may add one. Returns the commitment's id.
create function public.add_commitment(player uuid, program text, status text, committed_on date, audience text) returns uuid
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
    perform public.announce_commitment(added, add_commitment.audience);
  end if;
  return added;
end
$$;
revoke all on function public.add_commitment(uuid, text, text, date, text) from public, anon, authenticated;
grant execute on function public.add_commitment(uuid, text, text, date, text) to authenticated;

-- Updates or deletes the announcement with its commitment. An admin's review holds for the old text only, so a shown post loses
-- its mark as reviewed.
create function private.keep_announcement() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.status = 'withdrawn' then
    delete from public.posts as p where p.commitment_id = new.id;
  else
    update public.posts as p
    set body = private.commitment_words(new), reviewed_at = case when p.state = 'shown' then null else p.reviewed_at end
    where p.commitment_id = new.id and p.body <> private.commitment_words(new);
  end if;
  return null;
end
$$;
revoke all on function private.keep_announcement() from public;
create trigger keep_announcement after update of program, status on public.commitments
  for each row execute function private.keep_announcement();

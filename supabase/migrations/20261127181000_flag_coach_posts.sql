-- Whether a verified coach wrote a post or comment, as a column that triggers keep. Minors read what verified coaches write; with a
-- list of these coaches in the policies, each page of a minor's timeline took as long as the list.

alter table public.posts add column by_coach boolean not null default false;
alter table public.post_comments add column by_coach boolean not null default false;

-- A coach who is verified. Whether the coach is an adult is in minor_until.
create function private.writes_as_coach(person uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.coaches as c join public.users as u on u.id = c.user_id and u.role = 'coach'
    where c.user_id = person and c.verified_at is not null)
$$;
revoke all on function private.writes_as_coach(uuid) from public;

create function private.set_by_coach() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  new.by_coach := new.author_id is not null and private.writes_as_coach(new.author_id);
  return new;
end
$$;
revoke all on function private.set_by_coach() from public;
create trigger set_by_coach before insert on public.posts for each row execute function private.set_by_coach();
create trigger set_by_coach before insert on public.post_comments for each row execute function private.set_by_coach();

create function private.keep_by_coach() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person uuid;
  coach boolean;
begin
  if tg_table_name = 'users' then
    person := new.id;
  elsif tg_op = 'DELETE' then
    person := old.user_id;
  else
    person := new.user_id;
  end if;
  coach := private.writes_as_coach(person);
  update public.posts set by_coach = coach where author_id = person and by_coach <> coach;
  update public.post_comments set by_coach = coach where author_id = person and by_coach <> coach;
  return null;
end
$$;
revoke all on function private.keep_by_coach() from public;
create trigger keep_by_coach after insert or delete or update of verified_at on public.coaches
  for each row execute function private.keep_by_coach();
create trigger keep_by_coach after update of role on public.users
  for each row when (old.role is distinct from new.role) execute function private.keep_by_coach();
update public.posts as p set by_coach = true where private.writes_as_coach(p.author_id);
update public.post_comments as c set by_coach = true where private.writes_as_coach(c.author_id);

-- The people beside verified coaches whose posts to the public and whose comments a minor reads: the guardians, and the other minors
-- of the team. A minor who follows somebody reads that person's posts, too.
create or replace function private.familiar_people() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select g.guardian_id from public.guardianships as g where g.ward_id = (select auth.uid()) and g.status = 'accepted'
  union
  select them.user_id
  from public.team_members as me
  join public.team_members as them on them.team_id = me.team_id and them.role = 'player' and them.status = 'active'
  where me.user_id = (select auth.uid()) and me.role = 'player' and me.status = 'active' and private.is_minor(them.user_id)
$$;
drop function private.verified_coaches();

-- As in 20261124060100. Authors and games are looked up row by row, by "(select true …)": "exists" lets PostgreSQL read the whole
-- tables first, although 20 posts are a page.
alter policy "users read what is for them" on public.posts
  using (
    author_id = (select auth.uid())
    or author_id in (select private.wards())
    or id in (select private.reported_posts())
    or (
      state = 'shown'
      and (author_id is null or author_id not in (select private.unseen_people()))
      and (game_id is null or (select true from public.games as g where g.id = game_id))
      and (
        kind = 'result'
        -- The team also reads the posts of members whose profile is private, but not those of a child whom the guardian hides.
        or (visibility <> 'self' and team_id in (select private.own_teams())
          and (child_until <= (now() at time zone 'utc')::date or (select true from public.profiles as p where p.id = author_id))
          and (minor_until <= (now() at time zone 'utc')::date or team_id in (select private.trusted_teams()))
          and ((select private.is_adult()) or (by_coach and minor_until <= (now() at time zone 'utc')::date)
            or author_id in (select private.familiar_people()) or author_id in (select private.team_mates())))
        or (visibility in ('followers', 'public') and author_id in (select private.followed_people())
          and child_until <= (now() at time zone 'utc')::date
          and (select true from public.profiles as p where p.id = author_id))
        or (visibility = 'public' and child_until <= (now() at time zone 'utc')::date
          and ((select private.is_adult()) or (by_coach and minor_until <= (now() at time zone 'utc')::date)
            or author_id in (select private.familiar_people()))
          and (select p.public_profile from public.profiles as p where p.id = author_id))
      )
    )
  );

alter policy "users read what is for them" on public.post_comments
  using (
    author_id = (select auth.uid())
    or author_id in (select private.wards())
    or id in (select private.reported_comments())
    or (
      state = 'shown'
      and author_id not in (select private.unseen_people())
      and ((select private.is_adult()) or (by_coach and minor_until <= (now() at time zone 'utc')::date)
        or author_id in (select private.familiar_people()))
      -- If the caller does not see the profile of a minor, only the team reads the minor's comments; a child's comments not even
      -- the team.
      and (minor_until <= (now() at time zone 'utc')::date
        or (select true from public.profiles as p where p.id = author_id)
        or (child_until <= (now() at time zone 'utc')::date and exists (
          select from public.posts as p where p.id = post_id and p.team_id = any (array(select private.trusted_teams())))))
      and (select true from public.posts as p where p.id = post_id)
    )
  );

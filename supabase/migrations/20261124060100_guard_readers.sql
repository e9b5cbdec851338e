-- Limits who reads texts of minors, what minors read of strangers, and what the id of a post reveals.

-- The author's eighteenth birthday; `-infinity` once the author is 18. Like child_until, no API role may read it.
alter table public.posts add column minor_until date not null default '-infinity';
alter table public.post_comments add column minor_until date not null default '-infinity';

create function private.minor_until(person uuid) returns date
language sql stable
set search_path = ''
as $$
  select case when private.age(person) >= 18 then '-infinity'::date
    else coalesce((select private.birthday(b.birth_date, 18) from public.birth_dates as b where b.user_id = person), 'infinity') end
$$;
revoke all on function private.minor_until(uuid) from public;
update public.posts set minor_until = private.minor_until(author_id) where author_id is not null;
update public.post_comments set minor_until = private.minor_until(author_id);

create or replace function private.keep_child_until() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
  child constant date := private.child_until(person);
  minor constant date := private.minor_until(person);
begin
  update public.posts set child_until = child, minor_until = minor
  where author_id = person and (child_until, minor_until) is distinct from (child, minor);
  update public.post_comments set child_until = child, minor_until = minor
  where author_id = person and (child_until, minor_until) is distinct from (child, minor);
  return null;
end
$$;

-- The teams whose minors' texts the caller may read: as a player, a guardian or a verified coach.
create function private.trusted_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.team_id from public.team_members as m
  where m.status = 'active'
    and (m.user_id in (select private.wards())
      or (m.user_id = (select auth.uid()) and (m.role <> 'coach' or (select private.is_verified_coach()))))
$$;
revoke all on function private.trusted_teams() from public;
grant execute on function private.trusted_teams() to authenticated;

-- The players of the caller's teams. A minor reads posts to the team by these and by private.familiar_people() only: an
-- unverified coach may have posted before the first minor joined.
create function private.team_mates() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.user_id from public.team_members as m
  where m.role = 'player' and m.status = 'active' and m.team_id in (select private.own_teams())
$$;
revoke all on function private.team_mates() from public;
grant execute on function private.team_mates() to authenticated;

alter policy "users read what is for them" on public.posts
  using (
    author_id = (select auth.uid())
    or author_id in (select private.wards())
    or id in (select private.reported_posts())
    or (
      state = 'shown'
      and (author_id is null or author_id not in (select private.unseen_people()))
      and (game_id is null or exists (select from public.games as g where g.id = game_id))
      and (
        kind = 'result'
        -- The team also reads the posts of members whose profile is private, but not those of a child whom the guardian hides.
        or (visibility <> 'self' and team_id in (select private.own_teams())
          and (child_until <= (now() at time zone 'utc')::date or exists (select from public.profiles as p where p.id = author_id))
          and (minor_until <= (now() at time zone 'utc')::date or team_id in (select private.trusted_teams()))
          and ((select private.is_adult()) or author_id in (select private.familiar_people())
            or author_id in (select private.team_mates())))
        or (visibility in ('followers', 'public') and author_id in (select private.followed_people())
          and child_until <= (now() at time zone 'utc')::date
          and exists (select from public.profiles as p where p.id = author_id))
        or (visibility = 'public' and child_until <= (now() at time zone 'utc')::date
          and ((select private.is_adult()) or author_id in (select private.familiar_people()))
          and exists (select from public.profiles as p where p.id = author_id and p.public_profile))
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
      and ((select private.is_adult()) or author_id in (select private.familiar_people()))
      -- If the caller does not see the profile of a minor, only the team reads the minor's comments; a child's comments not even
      -- the team.
      and (minor_until <= (now() at time zone 'utc')::date
        or exists (select from public.profiles as p where p.id = author_id)
        or (child_until <= (now() at time zone 'utc')::date and exists (
          select from public.posts as p where p.id = post_id and p.team_id = any (array(select private.trusted_teams())))))
      and exists (select from public.posts as p where p.id = post_id)
    )
  );

-- As in 20261123070050, and a minor whose profile is not public may comment within the team only.
create or replace function private.comment_refusal(post uuid) returns text
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  years constant integer := private.age(uid);
  asked public.posts;
begin
  select p.* into asked from public.posts as p where p.id = comment_refusal.post;
  if asked.author_id is null then
    return 'Results have no comments.';
  elsif coalesce(years < 13, true) and asked.visibility <> 'team' and asked.author_id <> uid then
    return case when years is null then 'Add your birth date to comment.' else 'Under 13, you comment on posts of your team only.' end;
  elsif years < 18 and asked.visibility <> 'team' and asked.author_id <> uid and not exists (
    select from public.profiles as p where p.id = uid and p.public_profile and p.shown_from <= private.today())
  then
    return 'Your profile is not public, so you comment on posts of your team only.';
  elsif asked.author_id = uid or not private.is_minor(asked.author_id) or private.coach_is_verified(uid)
    or exists (
      select from public.guardianships as g
      where g.ward_id = asked.author_id and g.guardian_id = uid and g.status = 'accepted')
    or (private.is_minor(uid) and exists (
      select from public.team_members as me
      join public.team_members as them on them.team_id = me.team_id and them.role = 'player' and them.status = 'active'
      where me.user_id = uid and me.role = 'player' and me.status = 'active' and them.user_id = asked.author_id))
  then
    return null;
  end if;
  return 'Only verified coaches, guardians and young team mates comment on posts of players under 18.';
end
$$;

-- Refuses comments on posts that the caller does not see. Runs as the caller, so that the row policies apply. Runs before
-- private.check_comment(), which reads every post: its errors would reveal hidden posts.
create function private.ask_for_post() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if not exists (select from public.posts as p where p.id = new.post_id) then
    raise exception 'This post is not there any more.' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.ask_for_post() from public;
create trigger ask_for_post before insert on public.post_comments
  for each row when (auth.uid() is not null) execute function private.ask_for_post();

create or replace function private.check_comment() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  refusal text;
begin
  new.child_until := private.child_until(new.author_id);
  new.minor_until := private.minor_until(new.author_id);
  -- Seeds and operators have no user's token.
  if auth.uid() is null then
    return new;
  end if;
  refusal := private.comment_refusal(new.post_id);
  if refusal is not null then
    raise exception '%', refusal using errcode = '42501';
  elsif not private.may_write(new.author_id, 'comment', 60, '1 hour') then
    raise exception 'You have written sixty comments within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  end if;
  return new;
end
$$;

-- As in 20261123070050, with the rate limit of 20261124060000, and a size limit for photos.
create or replace function private.check_post() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.author_id is not null then
    new.child_until := private.child_until(new.author_id);
    new.minor_until := private.minor_until(new.author_id);
  end if;
  if new.kind <> 'post' or auth.uid() is null then
    return new;
  end if;
  if new.child_until > private.today() and new.visibility not in ('self', 'team') then
    raise exception 'Under 13, posts go to your team or stay with you.' using errcode = '42501';
  elsif new.child_until > private.today() and new.visibility = 'team' and exists (
    select from public.guardianships as g
    where g.ward_id = new.author_id and g.status = 'accepted' and (g.audience = 'family' or g.hides_profile))
  then
    raise exception 'Your guardian keeps your profile in the family, so your team cannot read posts of yours.' using errcode = '42501';
  elsif new.visibility = 'public' and not exists (
    select from public.profiles as p where p.id = new.author_id and p.public_profile and p.shown_from <= private.today())
  then
    raise exception 'Your profile is not public, so nobody would see a public post.' using errcode = '42501',
      hint = 'Post to your team or your followers, or make your profile public in Settings.';
  elsif new.media is not null and new.author_id not in (select private.kept_people()) then
    raise exception 'Under 18, your guardian adds photos and videos to your profile.' using errcode = '42501';
  elsif new.media is not null and not exists (
    select from storage.objects as o where o.bucket_id = 'post-media' and o.name = new.media)
  then
    raise exception 'The file is not there any more.' using errcode = 'PT404', hint = 'Upload it again.';
  -- The bucket's own size limit is that for videos.
  elsif new.media like '%.jpg' and exists (
    select from storage.objects as o
    where o.bucket_id = 'post-media' and o.name = new.media and (o.metadata ->> 'size')::bigint > 5 * 1024 * 1024)
  then
    raise exception 'A photo has at most 5 MB.' using errcode = 'PT413', hint = 'Choose a smaller one.';
  elsif not private.may_write(new.author_id, 'post', 30, '1 day') then
    raise exception 'Thirty posts a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  return new;
end
$$;

-- Refuses reports of posts and comments that the caller does not see, because three reports hide one from all readers. Runs as
-- the caller, so that the row policies apply.
create function private.ask_for_reported() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  thing constant uuid := case when new.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.subject_id end;
begin
  if not (case new.subject_kind
    when 'post' then exists (select from public.posts as p where p.id = thing)
    when 'comment' then exists (select from public.post_comments as c where c.id = thing)
    else exists (select from public.article_comments as c where c.id = thing) end)
  then
    raise exception 'It is not there any more.' using errcode = 'PT404';
  end if;
  return new;
end
$$;
revoke all on function private.ask_for_reported() from public;
create trigger ask_for_reported before insert on public.reports
  for each row when (new.subject_kind in ('post', 'comment', 'article_comment') and auth.uid() is not null)
  execute function private.ask_for_reported();

-- What the policies of the timeline cannot say: triggers that refuse with words for people, and count.

-- Why the caller may not comment on a post; null if nothing stands against it.
create function private.comment_refusal(post uuid) returns text
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
revoke all on function private.comment_refusal(uuid) from public;
grant execute on function private.comment_refusal(uuid) to authenticated;

-- The thirteenth birthday, once it matters: `-infinity` from 13 on.
create function private.child_until(person uuid) returns date
language sql stable
set search_path = ''
as $$
  select case when private.age(person) >= 13 then '-infinity'::date
    else coalesce((select private.birthday(b.birth_date, 13) from public.birth_dates as b where b.user_id = person), 'infinity') end
$$;
revoke all on function private.child_until(uuid) from public;

create function private.check_comment() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  refusal text;
begin
  new.child_until := private.child_until(new.author_id);
  -- Seeds and operators.
  if auth.uid() is null then
    return new;
  end if;
  refusal := private.comment_refusal(new.post_id);
  if refusal is not null then
    raise exception '%', refusal using errcode = '42501';
  end if;
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('comments ' || new.author_id, 0));
  if (select count(*) from public.post_comments as c
      where c.author_id = new.author_id and c.created_at > now() - interval '1 hour') >= 60 then
    raise exception 'You have written sixty comments within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  end if;
  return new;
end
$$;
revoke all on function private.check_comment() from public;
create trigger check_comment before insert on public.post_comments for each row execute function private.check_comment();

-- What a post may say to whom. Milestones are checked where they are made.
create function private.check_post() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.author_id is not null then
    new.child_until := private.child_until(new.author_id);
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
  end if;
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('posts ' || new.author_id, 0));
  if (select count(*) from public.posts as p
      where p.author_id = new.author_id and p.kind = 'post' and p.created_at > now() - interval '1 day') >= 30 then
    raise exception 'Thirty posts a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  return new;
end
$$;
revoke all on function private.check_post() from public;
create trigger check_post before insert on public.posts for each row execute function private.check_post();

-- A birth date that is corrected changes what strangers may see.
create function private.keep_child_until() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  update public.posts set child_until = private.child_until(person)
  where author_id = person and child_until <> private.child_until(person);
  update public.post_comments set child_until = private.child_until(person)
  where author_id = person and child_until <> private.child_until(person);
  return null;
end
$$;
revoke all on function private.keep_child_until() from public;
create trigger keep_child_until after insert or update or delete on public.birth_dates
  for each row execute function private.keep_child_until();

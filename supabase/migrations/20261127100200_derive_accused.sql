-- Whose post, comment, video, measurement or article is reported follows from the thing itself: a reporter must not accuse
-- somebody else of it. What the client sends is ignored.

-- Runs as the caller, so that the row policies apply: the owner of what the caller does not see stays unknown.
create function private.derive_accused() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  thing constant uuid := case when new.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.subject_id end;
begin
  new.subject_user_id := case new.subject_kind
    when 'video' then (select v.player_id from public.videos as v where v.id = thing)
    when 'measurement' then (select m.player_id from public.measurements as m where m.id = thing)
    when 'post' then (select p.author_id from public.posts as p where p.id = thing)
    when 'comment' then (select c.author_id from public.post_comments as c where c.id = thing)
    when 'article' then (select a.author_id from public.articles as a where a.id = thing)
    when 'article_comment' then (select c.author_id from public.article_comments as c where c.id = thing)
  end;
  return new;
end
$$;
revoke all on function private.derive_accused() from public;
-- Operators have no user's token.
create trigger derive_accused before insert on public.reports
  for each row when (new.subject_kind <> 'profile' and auth.uid() is not null) execute function private.derive_accused();

-- The reported profile names its owner, also if the caller does not see it: a child reports a guardian whose profile is private.
create function private.derive_accused_profile() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := case when new.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.subject_id end;
begin
  new.subject_user_id := (select p.id from public.profiles as p where p.id = person);
  return new;
end
$$;
revoke all on function private.derive_accused_profile() from public;
create trigger derive_accused_profile before insert on public.reports
  for each row when (new.subject_kind = 'profile' and auth.uid() is not null) execute function private.derive_accused_profile();

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

-- Open reports from before.
update public.reports as r set subject_user_id = t.owner
from (
  select 'profile' as kind, p.id, p.id as owner from public.profiles as p
  union all select 'video', v.id, v.player_id from public.videos as v
  union all select 'measurement', m.id, m.player_id from public.measurements as m
  union all select 'post', p.id, p.author_id from public.posts as p
  union all select 'comment', c.id, c.author_id from public.post_comments as c
  union all select 'article_comment', c.id, c.author_id from public.article_comments as c
) as t
where r.status = 'open' and t.kind = r.subject_kind and t.id::text = r.subject_id and t.owner is distinct from r.subject_user_id;

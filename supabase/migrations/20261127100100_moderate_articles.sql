-- Users report articles, and admins take them off the page with a reason that the newsroom reads.

alter table public.articles add column removal_reason text check (char_length(removal_reason) <= 1000);
-- Lists leave removed articles out also for their newsroom and for admins, who read them.
grant select (removal_reason) on table public.articles to anon, authenticated;

-- As in 20261127100000, with the removed.
create or replace function private.is_withheld(article public.articles) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select article.removal_reason is not null
    or exists (select from public.suspensions as s where s.user_id = article.author_id and s.lifted_at is null)
$$;

alter table public.reports drop constraint reports_subject_kind_check;
alter table public.reports add constraint reports_subject_kind_check check (
  subject_kind in ('profile', 'video', 'measurement', 'post', 'comment', 'article', 'article_comment', 'other'));

create function private.reported_articles() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select private.reported_things('article') $$;
revoke all on function private.reported_articles() from public;
grant execute on function private.reported_articles() to authenticated;

alter policy "users read what is published, and their newsroom" on public.articles
  using (
    (status = 'published' and published_at <= now() and not withheld and (vetted or (select private.is_adult()))
      and (team_id is null or exists (select from public.teams as t where t.id = team_id))
      and (author_id is null or author_id not in (select private.unseen_people())))
    or team_id in (select private.newsroom_teams())
    or (team_id is null and (select private.is_admin()))
    or id in (select private.reported_articles())
  );

-- As in 20261124060100, with articles.
create or replace function private.ask_for_reported() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  thing constant uuid := case when new.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.subject_id end;
begin
  if not (case new.subject_kind
    when 'post' then exists (select from public.posts as p where p.id = thing)
    when 'comment' then exists (select from public.post_comments as c where c.id = thing)
    when 'article' then exists (select from public.articles as a where a.id = thing)
    else exists (select from public.article_comments as c where c.id = thing) end)
  then
    raise exception 'It is not there any more.' using errcode = 'PT404';
  end if;
  return new;
end
$$;
drop trigger ask_for_reported on public.reports;
create trigger ask_for_reported before insert on public.reports
  for each row when (new.subject_kind in ('post', 'comment', 'article', 'article_comment') and auth.uid() is not null)
  execute function private.ask_for_reported();

-- As in 20261123070600, with articles. Reports alone do not hide an article, unlike posts: its author is known to the site.
create or replace function public.admin_moderate(kind text, id uuid, removed boolean, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
  state_now constant text := case when removed then 'removed' else 'shown' end;
  author uuid;
begin
  if kind = 'post' then
    update public.posts as p set state = state_now, removal_reason = case when removed then why end, reviewed_at = now()
    where p.id = admin_moderate.id returning p.author_id into author;
  elsif kind = 'comment' then
    update public.post_comments as c set state = state_now, removal_reason = case when removed then why end, reviewed_at = now()
    where c.id = admin_moderate.id returning c.author_id into author;
  elsif kind = 'article_comment' then
    update public.article_comments as c set state = state_now, removal_reason = case when removed then why end, reviewed_at = now()
    where c.id = admin_moderate.id returning c.author_id into author;
  elsif kind = 'article' then
    -- private.check_article() withholds it.
    update public.articles as a set removal_reason = case when removed then why end
    where a.id = admin_moderate.id returning a.author_id into author;
  else
    raise exception 'Posts, comments and articles are moderated.' using errcode = 'PT400';
  end if;
  if not found then
    raise exception 'It is not there any more.' using errcode = 'PT404';
  end if;
  update public.reports as r
  set status = case when removed then 'resolved' else 'dismissed' end, resolution = why, handled_by = uid, handled_at = now()
  where r.subject_kind = admin_moderate.kind and r.subject_id = admin_moderate.id::text and r.status = 'open';
  perform private.audit(case when kind in ('post', 'article') then kind else 'comment' end || '_' || state_now, author::text, why,
    jsonb_build_object('id', admin_moderate.id));
end
$$;

-- The signed URLs of a cover end when its article is withheld, like those of posts.
create function private.end_cover_urls() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update storage.objects as o set metadata = private.metadata_without_urls(o.metadata)
  where o.bucket_id = 'article-covers' and o.name = new.cover;
  return null;
end
$$;
revoke all on function private.end_cover_urls() from public;
-- Without a list of columns: private.check_article() sets `withheld` in updates of others.
create trigger end_cover_urls after update on public.articles
  for each row when (new.withheld and not old.withheld and new.cover is not null)
  execute function private.end_cover_urls();

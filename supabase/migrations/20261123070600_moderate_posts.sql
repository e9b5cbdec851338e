-- Reports of posts, their comments and the comments of articles, and their moderation. Keeps what other migrations have allowed.
do $$
declare
  kinds text;
begin
  select string_agg(quote_literal(k), ', ') into kinds
  from (
    select kind[1] from pg_constraint as c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''', 'g') as kind
    where c.conrelid = 'public.reports'::regclass and c.conname = 'reports_subject_kind_check'
    union select unnest(array['post', 'comment', 'article_comment'])) as known (k);
  alter table public.reports drop constraint reports_subject_kind_check;
  execute format('alter table public.reports add constraint reports_subject_kind_check check (subject_kind in (%s))', kinds);
end
$$;
create index reports_subject_idx on public.reports (subject_kind, subject_id);

-- What three users report is hidden until an admin has looked at it. What an admin has let stand stays.
create function private.hold_reported() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.subject_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' or (
    select count(distinct r.reporter_id) from public.reports as r
    where r.subject_kind = new.subject_kind and r.subject_id = new.subject_id and r.status = 'open') < 3
  then
    return null;
  elsif new.subject_kind = 'post' then
    update public.posts as p set state = 'held'
    where p.id = new.subject_id::uuid and p.state = 'shown' and p.reviewed_at is null;
  elsif new.subject_kind = 'comment' then
    update public.post_comments as c set state = 'held'
    where c.id = new.subject_id::uuid and c.state = 'shown' and c.reviewed_at is null;
  else
    update public.article_comments as c set state = 'held'
    where c.id = new.subject_id::uuid and c.state = 'shown' and c.reviewed_at is null;
  end if;
  return null;
end
$$;
revoke all on function private.hold_reported() from public;
create trigger hold_reported after insert on public.reports
  for each row when (new.subject_kind in ('post', 'comment', 'article_comment')) execute function private.hold_reported();

-- Removes a post or comment, or shows it again, and answers the reports on it. The author reads the reason.
create function public.admin_moderate(kind text, id uuid, removed boolean, reason text) returns void
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
  else
    raise exception 'Posts and comments are moderated.' using errcode = 'PT400';
  end if;
  if not found then
    raise exception 'It is not there any more.' using errcode = 'PT404';
  end if;
  update public.reports as r
  set status = case when removed then 'resolved' else 'dismissed' end, resolution = why, handled_by = uid, handled_at = now()
  where r.subject_kind = admin_moderate.kind and r.subject_id = admin_moderate.id::text and r.status = 'open';
  perform private.audit(case kind when 'post' then 'post' else 'comment' end || '_' || state_now, author::text, why,
    jsonb_build_object('id', admin_moderate.id));
end
$$;
revoke all on function public.admin_moderate(text, uuid, boolean, text) from public, anon, authenticated;
grant execute on function public.admin_moderate(text, uuid, boolean, text) to authenticated;

-- The personal-data export covers articles and the files of posts and articles.
insert into private.exported (name, owner) values ('articles', 'author_id'), ('article_comments', 'author_id');

create or replace function private.export_files(person uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name, 'size', o.metadata -> 'size',
    'type', o.metadata -> 'mimetype', 'created_at', o.created_at) order by o.bucket_id, o.name), '[]')
  from storage.objects as o
  where o.bucket_id in ('profile-photos', 'profile-videos', 'post-media', 'article-covers')
    -- In the order of the index: "0" follows "/".
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;

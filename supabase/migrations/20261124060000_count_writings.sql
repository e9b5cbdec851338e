-- Rate limits of posts, comments and articles. Deleting one does not reset the limit, because every post reaches all open
-- timelines even if it is deleted right away.

create table private.writings (
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('post', 'comment', 'article')),
  written_at timestamptz not null default now()
);
create index writings_user_id_idx on private.writings (user_id, kind, written_at);

-- Records that the author writes something, and returns whether it is within the limit of "most" in "span". An advisory lock
-- makes concurrent calls count each other.
create function private.may_write(author uuid, kind text, most integer, span interval) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('writings ', kind, ' ', author), 0));
  delete from private.writings as w
  where w.user_id = author and w.kind = may_write.kind and w.written_at <= now() - span;
  insert into private.writings (user_id, kind) values (author, may_write.kind);
  return (select count(*) <= most from private.writings as w where w.user_id = author and w.kind = may_write.kind);
end
$$;
revoke all on function private.may_write(uuid, text, integer, interval) from public;

-- Posts and comments from before this migration count, too.
insert into private.writings (user_id, kind, written_at)
select p.author_id, 'post', p.created_at from public.posts as p where p.kind = 'post' and p.created_at > now() - interval '1 day'
union all select c.author_id, 'comment', c.created_at from public.post_comments as c where c.created_at > now() - interval '1 hour'
union all select c.author_id, 'comment', c.created_at from public.article_comments as c where c.created_at > now() - interval '1 hour';

create or replace function private.check_article_comment() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if auth.uid() is not null and not private.may_write(new.author_id, 'comment', 60, '1 hour') then
    raise exception 'You have written sixty comments within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  end if;
  return new;
end
$$;

create function private.limit_articles() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if not private.may_write(new.author_id, 'article', 50, '1 day') then
    raise exception 'Fifty articles a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_articles() from public;
-- Articles by operators (without a user's token) are not limited.
create trigger limit_articles before insert on public.articles
  for each row when (new.author_id is not null and auth.uid() is not null) execute function private.limit_articles();

create function private.limit_blocks() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('blocks ', new.blocker_id), 0));
  if (select count(*) from public.blocks as b where b.blocker_id = new.blocker_id) >= 1000 then
    raise exception 'You have blocked a thousand people.' using errcode = 'PT409', hint = 'Unblock some first, or report those who bother you.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_blocks() from public;
create trigger limit_blocks before insert on public.blocks for each row execute function private.limit_blocks();

-- The newsroom: articles in Markdown by admins and by verified coaches for their teams. Everybody reads what is published;
-- a scheduled article is one whose time has not come yet.

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  author_id uuid default auth.uid() references public.profiles (id) on delete set null,
  -- Null for the newsroom of the site.
  team_id uuid references public.teams (id) on delete cascade,
  game_id uuid references public.games (id) on delete set null,
  kind text not null default 'news' check (kind in ('news', 'recap')),
  title text not null check (char_length(btrim(title)) between 1 and 140),
  summary text not null default '' check (char_length(summary) <= 300),
  -- CommonMark. The page shows no HTML in it.
  body text not null default '' check (char_length(body) <= 40000),
  tags text[] not null default '{}' check (
    cardinality(tags) <= 6 and array_to_string(tags, ',') ~ '^([a-z0-9][a-z0-9 -]{0,29}(,|$))*$'),
  -- A picture in the bucket article-covers: <author>/<random>.jpg
  cover text check (cover ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.jpg$'),
  cover_alt text not null default '' check (char_length(cover_alt) <= 300),
  status text not null default 'draft' check (status in ('draft', 'published')),
  published_at timestamptz,
  comments_open boolean not null default false,
  -- While the author is suspended. Visitors' policies cannot look into suspensions.
  withheld boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint articles_published_are_complete check (
    status = 'draft' or (published_at is not null and btrim(body) <> ''))
);
create index articles_latest_idx on public.articles (published_at desc, id desc) where status = 'published';
create index articles_author_id_idx on public.articles (author_id);
create index articles_team_id_idx on public.articles (team_id);
create index articles_game_id_idx on public.articles (game_id);
create index articles_cover_idx on public.articles (cover);
create trigger touch before update on public.articles for each row execute function private.touch();

-- What was wrong in a published article, and since when it is right.
create table public.article_corrections (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references public.articles (id) on delete cascade,
  note text not null check (char_length(btrim(note)) between 3 and 500),
  corrected_by uuid references public.profiles (id) on delete set null,
  corrected_at timestamptz not null default now()
);
create index article_corrections_article_id_idx on public.article_corrections (article_id, corrected_at);
create index article_corrections_corrected_by_idx on public.article_corrections (corrected_by);

create table public.article_comments (
  id uuid primary key default gen_random_uuid(),
  article_id uuid not null references public.articles (id) on delete cascade,
  author_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  body text not null check (char_length(btrim(body)) between 1 and 1000),
  state text not null default 'shown' check (state in ('shown', 'held', 'removed')),
  removal_reason text check (char_length(removal_reason) <= 1000),
  reviewed_at timestamptz,
  created_at timestamptz not null default now()
);
create index article_comments_article_id_idx on public.article_comments (article_id, created_at desc);
create index article_comments_author_id_idx on public.article_comments (author_id, created_at desc);

create function private.reported_article_comments() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select private.reported_things('article_comment') $$;
revoke all on function private.reported_article_comments() from public;
grant execute on function private.reported_article_comments() to authenticated;

-- The teams for which the caller writes: a verified coach's.
create function private.newsroom_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select t.id from private.coached_teams() as t (id) where private.is_verified_coach() $$;
revoke all on function private.newsroom_teams() from public;
grant execute on function private.newsroom_teams() to authenticated;

alter table public.articles enable row level security;
create policy "visitors read what is published" on public.articles
  for select to anon
  using (status = 'published' and published_at <= now() and not withheld
    and (team_id is null or exists (select from public.teams as t where t.id = team_id)));
create policy "users read what is published, and their newsroom" on public.articles
  for select to authenticated
  using (
    (status = 'published' and published_at <= now() and not withheld
      and (team_id is null or exists (select from public.teams as t where t.id = team_id))
      and (author_id is null or author_id not in (select private.unseen_people())))
    or team_id in (select private.newsroom_teams())
    or (team_id is null and (select private.is_admin()))
  );
create policy "coaches and admins write" on public.articles
  for insert to authenticated
  with check (
    author_id = (select auth.uid())
    and (team_id in (select private.newsroom_teams()) or (team_id is null and (select private.is_admin())))
  );
create policy "coaches and admins change" on public.articles
  for update to authenticated
  using (team_id in (select private.newsroom_teams()) or (team_id is null and (select private.is_admin())));
create policy "coaches and admins delete" on public.articles
  for delete to authenticated
  using (team_id in (select private.newsroom_teams()) or (team_id is null and (select private.is_admin())));

alter table public.article_corrections enable row level security;
create policy "everybody reads those of articles they see" on public.article_corrections
  for select to anon, authenticated
  using (exists (select from public.articles as a where a.id = article_id));

-- Comments are off for minors: they neither read nor write them, and are in none.
alter table public.article_comments enable row level security;
create policy "adults read what is for them" on public.article_comments
  for select to authenticated
  using (
    author_id = (select auth.uid())
    or id in (select private.reported_article_comments())
    or (state = 'shown' and (select private.is_adult()) and author_id not in (select private.unseen_people())
      and exists (select from public.articles as a where a.id = article_id and a.comments_open))
  );
create policy "adults comment where comments are open" on public.article_comments
  for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.is_adult())
    and exists (
      select from public.articles as a
      where a.id = article_id and a.comments_open and a.status = 'published' and a.published_at <= now())
  );
create policy "authors and the newsroom delete" on public.article_comments
  for delete to authenticated
  using (
    author_id = (select auth.uid())
    or exists (
      select from public.articles as a
      where a.id = article_id
        and (a.team_id in (select private.newsroom_teams()) or (a.team_id is null and (select private.is_admin()))))
  );

do $policies$
declare
  about text;
begin
  foreach about in array array['articles', 'article_corrections', 'article_comments'] loop
    execute format($sql$
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      create policy "only the app itself" on public.%1$I
        as restrictive for all to authenticated
        using ((select private.is_own_app())) with check ((select private.is_own_app()));
      revoke all on table public.%1$I from anon, authenticated;
    $sql$, about);
  end loop;
end
$policies$;
grant select (id, author_id, team_id, game_id, kind, title, summary, body, tags, cover, cover_alt, status, published_at,
  comments_open, created_at, updated_at) on table public.articles to anon, authenticated;
grant insert (id, author_id, team_id, game_id, kind, title, summary, body, tags, cover, cover_alt, comments_open),
  update (title, summary, body, tags, cover, cover_alt, comments_open, status, published_at), delete
  on table public.articles to authenticated;
grant select (id, article_id, note, corrected_at) on table public.article_corrections to anon, authenticated;
grant select (id, article_id, author_id, body, state, removal_reason, created_at), delete
  on table public.article_comments to authenticated;
grant insert (id, article_id, author_id, body) on table public.article_comments to authenticated;

-- The first of the team's minors who is named in a text and has not agreed to be public; nobody under 13 has.
create function private.named_minor(team uuid, words text) returns text
language sql stable security definer
set search_path = ''
as $$
  select p.full_name
  from public.team_members as m join public.profiles as p on p.id = m.user_id
  where m.team_id = team and m.role = 'player' and m.status = 'active' and char_length(btrim(p.full_name)) > 2
    and private.is_minor(m.user_id)
    and not (p.public_profile and p.shown_from <= private.today() and coalesce(private.age(m.user_id) >= 13, false))
    and position(lower(btrim(p.full_name)) in lower(words)) > 0
  order by p.full_name limit 1
$$;
revoke all on function private.named_minor(uuid, text) from public;

create function private.check_article() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  named text;
  was_public constant boolean := tg_op = 'UPDATE' and old.status = 'published' and old.published_at <= now();
begin
  new.withheld := exists (
    select from public.suspensions as s where s.user_id = new.author_id and s.lifted_at is null);
  if tg_op = 'UPDATE' and new.status = 'published' and (old.status = 'draft' or new.published_at is distinct from old.published_at) then
    -- Without a time, or with one that is over, now.
    new.published_at := case when was_public then old.published_at else greatest(coalesce(new.published_at, now()), now()) end;
    if new.published_at > now() + interval '1 year' then
      raise exception 'An article is scheduled up to a year ahead.' using errcode = 'PT400';
    end if;
  end if;
  if was_public and (new.title, new.summary, new.body) is distinct from (old.title, old.summary, old.body)
    and current_setting('private.correcting', true) is distinct from new.id::text
  then
    raise exception 'This article is published: correct it, and say what was wrong.' using errcode = '42501';
  end if;
  named := private.named_minor(new.team_id, concat_ws(' ', new.title, new.summary, new.body, new.cover_alt));
  if new.status = 'published' and named is not null then
    raise exception '% is a minor who has not agreed to be public.', named using errcode = 'PT400',
      hint = 'Write of the play instead, for example “the Owls’ shortstop”.';
  end if;
  if new.cover is distinct from (case tg_op when 'UPDATE' then old.cover end) and new.cover is not null and auth.uid() is not null
    and not exists (select from storage.objects as o where o.bucket_id = 'article-covers' and o.name = new.cover)
  then
    raise exception 'The file is not there any more.' using errcode = 'PT404', hint = 'Upload it again.';
  end if;
  return new;
end
$$;
revoke all on function private.check_article() from public;
create trigger check_article before insert or update on public.articles for each row execute function private.check_article();

create function private.withhold_articles() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.articles as a set withheld = exists (
    select from public.suspensions as s where s.user_id = a.author_id and s.lifted_at is null)
  where a.author_id = coalesce(new.user_id, old.user_id);
  return null;
end
$$;
revoke all on function private.withhold_articles() from public;
create trigger withhold_articles after insert or update or delete on public.suspensions
  for each row execute function private.withhold_articles();

-- Changes a published article and says publicly what was wrong. The policies decide who may.
create function public.correct_article(article_id uuid, note text, title text, summary text, body text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  if char_length(btrim(coalesce(note, ''))) not between 3 and 500 then
    raise exception 'Say what was wrong, in 3 to 500 characters.' using errcode = 'PT400';
  end if;
  perform set_config('private.correcting', article_id::text, true);
  update public.articles as a
  set title = correct_article.title, summary = correct_article.summary, body = correct_article.body
  where a.id = article_id and a.status = 'published' and a.published_at <= now()
    and (a.team_id in (select private.newsroom_teams()) or (a.team_id is null and private.is_admin()));
  if not found then
    raise exception 'This article is not published, or not yours.' using errcode = '42501';
  end if;
  perform set_config('private.correcting', '', true);
  insert into public.article_corrections (article_id, note, corrected_by) values (article_id, btrim(note), uid);
end
$$;
revoke all on function public.correct_article(uuid, text, text, text, text) from public, anon, authenticated;
grant execute on function public.correct_article(uuid, text, text, text, text) to authenticated;

create function private.check_article_comment() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('comments ' || new.author_id, 0));
  if (select count(*) from public.article_comments as c
      where c.author_id = new.author_id and c.created_at > now() - interval '1 hour') >= 60 then
    raise exception 'You have written sixty comments within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  end if;
  return new;
end
$$;
revoke all on function private.check_article_comment() from public;
create trigger check_article_comment before insert on public.article_comments
  for each row execute function private.check_article_comment();

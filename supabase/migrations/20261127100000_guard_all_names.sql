-- Articles reach everybody, so their names are checked beyond the own team: against all teams and players of the linked game,
-- and, for the site's newsroom, against all minors. Admins read profiles, so they learn whose name it is. Coaches learn it of
-- their own players only.

-- The names of two and more words as private.plain_words() writes them, by their first two words: comparing an article with
-- each of 200,000 profiles would take seconds. A single word is a name only within a team.
create table private.plain_names (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  name text not null,
  head text not null
);
create index plain_names_head_idx on private.plain_names (head);

create function private.keep_plain_name() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  words constant text[] := string_to_array(btrim(private.plain_words(new.full_name)), ' ');
begin
  delete from private.plain_names as n where n.user_id = new.id;
  if cardinality(words) >= 2 then
    insert into private.plain_names (user_id, name, head)
    values (new.id, private.plain_words(new.full_name), words[1] || ' ' || words[2]);
  end if;
  return null;
end
$$;
revoke all on function private.keep_plain_name() from public;
create trigger keep_plain_name after insert on public.profiles
  for each row when (new.full_name <> '') execute function private.keep_plain_name();
create trigger keep_new_plain_name after update of full_name on public.profiles
  for each row when (old.full_name is distinct from new.full_name) execute function private.keep_plain_name();
insert into private.plain_names (user_id, name, head)
select p.id, p.name, p.words[1] || ' ' || p.words[2]
from (
  select o.id, n.name, string_to_array(btrim(n.name), ' ') as words
  from public.profiles as o, lateral (select private.plain_words(o.full_name)) as n (name)) as p
where cardinality(p.words) >= 2;

create function private.is_shown(person uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.profiles as p where p.id = is_shown.person and p.public_profile and p.shown_from <= private.today())
$$;
revoke all on function private.is_shown(uuid) from public;

-- The people whose whole name is in a text that private.plain_words() has written.
create function private.people_named(plain text) returns setof uuid
language sql stable
set search_path = ''
as $$
  with pairs as (
    select distinct w.word || ' ' || lead(w.word) over (order by w.place) as head
    from regexp_split_to_table(btrim(people_named.plain), ' ') with ordinality as w (word, place)
  )
  select n.user_id from pairs as p join private.plain_names as n on n.head = p.head
  where position(n.name in people_named.plain) > 0
$$;
revoke all on function private.people_named(text) from public;

create function private.teams_of_article(team uuid, game uuid) returns setof uuid
language sql stable
set search_path = ''
as $$
  select teams_of_article.team where teams_of_article.team is not null
  union
  select t.id from public.games as g, unnest(array[g.owner_team_id, g.visitor_team_id, g.home_team_id]) as t (id)
  where g.id = teams_of_article.game and t.id is not null
$$;
revoke all on function private.teams_of_article(uuid, uuid) from public;

-- Those whom an article may have to leave out, with whether its newsroom may know their names. `minor` is null for guests: a coach
-- entered their names, and nobody has asked them.
create function private.people_of_article(team uuid, game uuid, plain text)
returns table (full_name text, known boolean, minor boolean, shown boolean)
language sql stable
set search_path = ''
as $$
  with entered as materialized (
    select i.user_id, i.full_name, a.owner_team_id, a.is_public
    from public.lineups as l
    join public.athletes as a on a.id = l.athlete_id
    join public.athlete_identities as i on i.athlete_id = l.athlete_id
    where l.game_id = people_of_article.game
  ), people as (
    select player.id, coalesce(t.id = people_of_article.team, true) as known
    from private.teams_of_article(people_of_article.team, people_of_article.game) as t (id), private.players_ever(t.id) as player (id)
    union all
    select e.user_id, people_of_article.team is null from entered as e where e.user_id is not null
    union all
    -- Not those who have the name of somebody whom the game's lineup shows to everybody.
    select n.id, true from private.people_named(people_of_article.plain) as n (id)
    where people_of_article.team is null and not exists (
      select from private.public_names(people_of_article.game) as s join public.profiles as p on p.id = n.id
      where private.plain_words(s.full_name) = private.plain_words(p.full_name))
  )
  select p.full_name, k.known, private.is_minor(p.id), private.is_shown(p.id)
  from (select o.id, bool_or(o.known) as known from people as o group by o.id) as k join public.profiles as p on p.id = k.id
  union all
  select e.full_name, people_of_article.team is null or e.owner_team_id = people_of_article.team, null, e.is_public
  from entered as e where e.user_id is null and e.full_name !~ '^No\. [0-9]+$'
$$;
revoke all on function private.people_of_article(uuid, uuid, text) from public;

-- Why a text may not be published; null if it may. Of other teams, private profiles of adults are refused with the same words,
-- so that the refusal does not say whether the other team has a child of that name.
create function private.name_refusal(team uuid, game uuid, words text) returns text
language sql stable security definer
set search_path = ''
as $$
  select case
    when not p.known then 'This article names somebody whose profile is not public.'
    when p.minor then p.full_name || ' is a minor who has not agreed to be public.'
    else p.full_name || ' is a guest, who has not agreed to be public.' end
  from (select private.plain_words(name_refusal.words)) as t (plain),
    private.people_of_article(name_refusal.team, name_refusal.game, t.plain) as p
  where char_length(private.plain_words(p.full_name)) > 4 and position(private.plain_words(p.full_name) in t.plain) > 0
    and not p.shown and (coalesce(p.minor, true) or not p.known)
  order by p.known desc, p.full_name
  limit 1
$$;
revoke all on function private.name_refusal(uuid, uuid, text) from public;

create function private.words_of_article(article public.articles) returns text
language sql stable
set search_path = ''
as $$
  select concat_ws(' ', article.title, article.summary, article.body, article.cover_alt, array_to_string(article.tags, ' '))
$$;
revoke all on function private.words_of_article(public.articles) from public;

create or replace function private.check_correction() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  refusal text;
begin
  select private.name_refusal(a.team_id, a.game_id, new.note) into refusal
  from public.articles as a where a.id = new.article_id;
  if refusal is not null then
    raise exception '%', refusal using errcode = 'PT400', hint = 'Everybody reads this note. Write of the play instead.';
  end if;
  return new;
end
$$;

-- Whether an article is hidden for another reason than its text.
create function private.is_withheld(article public.articles) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.suspensions as s where s.user_id = article.author_id and s.lifted_at is null)
$$;
revoke all on function private.is_withheld(public.articles) from public;

-- As in 20261124060200, with the names of other teams. A team writes about its own games. Callers who do not write for the team
-- are left to the policies, so that the refusal tells them nothing about the game.
create or replace function private.check_article() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  was_public constant boolean := tg_op = 'UPDATE' and old.status = 'published' and old.published_at <= now();
  refusal constant text := private.name_refusal(new.team_id, new.game_id, private.words_of_article(new));
begin
  if tg_op = 'INSERT' and new.game_id is not null and new.team_id in (select private.newsroom_teams())
    and not exists (
      select from public.games as g
      where g.id = new.game_id and new.team_id in (g.owner_team_id, g.visitor_team_id, g.home_team_id))
  then
    raise exception 'This is not a game of your team.' using errcode = '42501', hint = 'Choose one of your team''s games.';
  end if;
  new.names_minor := refusal is not null;
  new.withheld := new.names_minor or private.is_withheld(new);
  if tg_op = 'UPDATE' and new.status = 'published' and (old.status = 'draft' or new.published_at is distinct from old.published_at) then
    -- Publishes now if there is no time, or if it has passed.
    new.published_at := case when was_public then old.published_at else greatest(coalesce(new.published_at, now()), now()) end;
    if new.published_at > now() + interval '1 year' then
      raise exception 'An article is scheduled up to a year ahead.' using errcode = 'PT400';
    end if;
  end if;
  if was_public and (new.title, new.summary, new.body) is distinct from (old.title, old.summary, old.body)
    and current_setting('private.correcting', true) is distinct from new.id::text
  then
    raise exception 'This article is published: correct it, and say what was wrong.' using errcode = '42501';
  elsif was_public and new.status = 'draft' then
    new.withdrawn_text := md5(jsonb_build_array(old.title, old.summary, old.body)::text);
  end if;
  if new.status = 'published' and refusal is not null and (tg_op = 'INSERT'
    or (new.title, new.summary, new.body, new.cover_alt, new.tags, new.status)
      is distinct from (old.title, old.summary, old.body, old.cover_alt, old.tags, old.status))
  then
    raise exception '%', refusal using errcode = 'PT400', hint = 'Write of the play instead, for example “the Owls’ shortstop”.';
  end if;
  if new.cover is distinct from (case tg_op when 'UPDATE' then old.cover end) and new.cover is not null and auth.uid() is not null then
    if private.owner_of(new.cover) is distinct from auth.uid() then
      raise exception 'This cover is somebody else''s file.' using errcode = '42501', hint = 'Upload a picture of your own.';
    elsif not exists (select from storage.objects as o where o.bucket_id = 'article-covers' and o.name = new.cover) then
      raise exception 'The file is not there any more.' using errcode = 'PT404', hint = 'Upload it again.';
    end if;
  end if;
  return new;
end
$$;

-- The words of each article, to find those that name a person without reading all of them.
create table private.article_words (
  article_id uuid primary key references public.articles (id) on delete cascade,
  words text not null
);
create index article_words_idx on private.article_words using gin (words extensions.gin_trgm_ops);

create function private.keep_article_words() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.article_words (article_id, words) values (new.id, private.plain_words(private.words_of_article(new)))
  on conflict (article_id) do update set words = excluded.words where article_words.words <> excluded.words;
  return null;
end
$$;
revoke all on function private.keep_article_words() from public;
create trigger keep_article_words after insert or update of title, summary, body, cover_alt, tags on public.articles
  for each row execute function private.keep_article_words();
insert into private.article_words (article_id, words)
select a.id, private.plain_words(private.words_of_article(a)) from public.articles as a;

-- The articles that may have to leave a person out: of the person's teams, about games of these teams or of the person, and of
-- the site.
create function private.articles_about(person uuid) returns setof uuid
language sql stable
set search_path = ''
as $$
  with teams as materialized (
    select m.team_id as id from public.team_members as m
    where m.user_id = articles_about.person and m.role = 'player' and m.status = 'active'
    union
    select r.team_id from public.athlete_identities as i join public.rosters as r on r.athlete_id = i.athlete_id
    where i.user_id = articles_about.person
  )
  select a.id from public.articles as a where a.team_id in (select t.id from teams as t)
  union
  select a.id from public.articles as a join public.games as g on g.id = a.game_id
  where g.owner_team_id in (select t.id from teams as t) or g.visitor_team_id in (select t.id from teams as t)
    or g.home_team_id in (select t.id from teams as t)
  union
  select a.id
  from public.athlete_identities as i
  join public.lineups as l on l.athlete_id = i.athlete_id
  join public.articles as a on a.game_id = l.game_id
  where i.user_id = articles_about.person
  union
  select a.id from public.articles as a where a.team_id is null
$$;
revoke all on function private.articles_about(uuid) from public;

-- Articles are checked again when somebody whom they name is shown no longer, or again. Somebody who is not shown and takes a
-- new name does not hide the site's articles: anybody could choose a name that is in one.
create or replace function private.withhold_names() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  was_shown constant boolean := old.public_profile and old.shown_from <= private.today();
  is_shown constant boolean := new.public_profile and new.shown_from <= private.today();
begin
  update public.articles as a set withheld = a.withheld
  from private.article_words as w
  where w.article_id = a.id and w.words like '%' || private.plain_words(new.full_name) || '%' and a.status = 'published'
    and char_length(private.plain_words(new.full_name)) > 4 and a.id in (select private.articles_about(new.id))
    and (a.team_id is not null or was_shown <> is_shown);
  return null;
end
$$;

drop function private.named_minor(uuid, text);
drop function private.team_of_article(uuid, uuid);
-- Checks the articles that are already published.
update public.articles set withheld = withheld where status = 'published';

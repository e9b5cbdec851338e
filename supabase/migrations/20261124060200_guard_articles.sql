-- A cover belongs to one article and to the user who uploaded it. No part of an article may name a minor without a public
-- profile.

-- Deleting an article deletes its cover, so two articles must not share one. The triggers are off because no text changes here.
alter table public.articles disable trigger user;
update public.articles as a set cover = null
where exists (select from public.articles as o where o.cover = a.cover and (o.created_at, o.id) < (a.created_at, a.id));
alter table public.articles enable trigger user;
drop index public.articles_cover_idx;
create unique index articles_cover_key on public.articles (cover);

-- A digest of a withdrawn article's text as it was last published.
alter table public.articles add column withdrawn_text text;
-- Whether it names a minor whose profile is not public. Such an article is withheld, and its newsroom sees the reason.
alter table public.articles add column names_minor boolean not null default false;
grant select (names_minor) on table public.articles to authenticated;

-- Normalizes a text for comparison with names: lower case, without accents, emphasis marks and invisible characters, and with a
-- space before and after each word. “Kit Long’s” becomes the words of “Kit Long”, “J.R.” becomes “jr”.
create function private.plain_words(words text) returns text
language sql immutable
set search_path = ''
as $$
  with shown as (
    select regexp_replace(words, '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF*_~`\\\[\]]', '', 'g') as words
  ), whole as (
    select regexp_replace(regexp_replace(s.words, '[''’]s(?!\w)', '', 'gi'), '(?<!\w)(\w)\.', '\1', 'g') as words from shown as s
  )
  select private.folded(regexp_replace(' ' || w.words || ' ', '[\s\u00A0!-&(-/:-@^{-~\u2000-\u2018\u201A-\u205F\u3000]+', ' ', 'g'))
  from whole as w
$$;
revoke all on function private.plain_words(text) from public;

-- The players of a team, with former ones, because an article about an old game may name them.
create function private.players_ever(team uuid) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.user_id from public.team_members as m
  where m.team_id = players_ever.team and m.role = 'player' and m.status = 'active'
  union
  select i.user_id from public.rosters as r join public.athlete_identities as i on i.athlete_id = r.athlete_id
  where r.team_id = players_ever.team and i.user_id is not null
$$;
revoke all on function private.players_ever(uuid) from public;

create or replace function private.named_minor(team uuid, words text) returns text
language sql stable security definer
set search_path = ''
as $$
  select p.full_name
  from private.players_ever(team) as player (id) join public.profiles as p on p.id = player.id
  where char_length(private.plain_words(p.full_name)) > 4
    and private.is_minor(p.id)
    and not (p.public_profile and p.shown_from <= private.today() and coalesce(private.age(p.id) >= 13, false))
    and position(private.plain_words(p.full_name) in private.plain_words(words)) > 0
  order by p.full_name limit 1
$$;

-- The team whose minors an article is about: its own, or that of its game.
create function private.team_of_article(team uuid, game uuid) returns uuid
language sql stable
set search_path = ''
as $$ select coalesce(team, (select g.owner_team_id from public.games as g where g.id = game)) $$;
revoke all on function private.team_of_article(uuid, uuid) from public;

create function private.check_correction() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  named text;
begin
  select private.named_minor(private.team_of_article(a.team_id, a.game_id), new.note) into named
  from public.articles as a where a.id = new.article_id;
  if named is not null then
    raise exception '% is a minor who has not agreed to be public.', named using errcode = 'PT400',
      hint = 'Everybody reads this note. Write of the play instead.';
  end if;
  return new;
end
$$;
revoke all on function private.check_correction() from public;
create trigger check_correction before insert on public.article_corrections
  for each row execute function private.check_correction();

-- As in 20261123070400, with more rules:
-- - a cover must be the caller's own file;
-- - tags and the cover's description must not name a minor without a public profile, either;
-- - withdrawing a published article, changing it and publishing it again leaves a note (private.note_rewritten);
-- - an article that names a minor whose profile is no longer public is withheld until the name is removed.
-- A name refuses only changes of the text or the status. Other updates, such as those when an account is suspended or deleted,
-- must succeed.
create or replace function private.check_article() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  was_public constant boolean := tg_op = 'UPDATE' and old.status = 'published' and old.published_at <= now();
  named constant text := private.named_minor(private.team_of_article(new.team_id, new.game_id),
    concat_ws(' ', new.title, new.summary, new.body, new.cover_alt, array_to_string(new.tags, ' ')));
begin
  new.names_minor := named is not null;
  new.withheld := new.names_minor or exists (
    select from public.suspensions as s where s.user_id = new.author_id and s.lifted_at is null);
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
  if new.status = 'published' and named is not null and (tg_op = 'INSERT'
    or (new.title, new.summary, new.body, new.cover_alt, new.tags, new.status)
      is distinct from (old.title, old.summary, old.body, old.cover_alt, old.tags, old.status))
  then
    raise exception '% is a minor who has not agreed to be public.', named using errcode = 'PT400',
      hint = 'Write of the play instead, for example “the Owls’ shortstop”.';
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

-- The update changes nothing by itself: it runs the trigger with check_article(), which computes `withheld`.
create or replace function private.withhold_articles() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.articles as a set withheld = a.withheld
  where a.author_id = coalesce(new.user_id, old.user_id)
    -- Skips accounts that are being deleted: the foreign key removes the author by itself.
    and exists (select from public.profiles as p where p.id = a.author_id);
  return null;
end
$$;

create function private.withhold_names() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.articles as a set withheld = a.withheld
  where a.status = 'published' and new.id in (select private.players_ever(private.team_of_article(a.team_id, a.game_id)))
    and position(private.plain_words(new.full_name) in
      private.plain_words(concat_ws(' ', a.title, a.summary, a.body, a.cover_alt, array_to_string(a.tags, ' ')))) > 0;
  return null;
end
$$;
revoke all on function private.withhold_names() from public;
create trigger withhold_names after update on public.profiles
  for each row when (
    (old.public_profile, old.shown_from, old.full_name) is distinct from (new.public_profile, new.shown_from, new.full_name)
    and new.full_name <> '')
  execute function private.withhold_names();
-- Checks the articles that are already published.
update public.articles set withheld = withheld where status = 'published';

create function private.note_rewritten() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if old.withdrawn_text <> md5(jsonb_build_array(new.title, new.summary, new.body)::text) then
    insert into public.article_corrections (article_id, note, corrected_by, corrected_at)
    values (new.id, 'This article was withdrawn, and published again with changes.', auth.uid(), new.published_at);
  end if;
  update public.articles as a set withdrawn_text = null where a.id = new.id;
  return null;
end
$$;
revoke all on function private.note_rewritten() from public;
create trigger note_rewritten after update of status on public.articles
  for each row when (old.withdrawn_text is not null and old.status = 'draft' and new.status = 'published')
  execute function private.note_rewritten();

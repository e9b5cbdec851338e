-- Covers, RSS and previews of articles, the moderation of their comments, and the names that a recap may use.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('article-covers', 'article-covers', false, 5 * 1024 * 1024, array['image/jpeg'])
on conflict (id) do update
set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create policy "covers of the articles one sees" on storage.objects
  for select to anon, authenticated
  using (bucket_id = 'article-covers'
    and (exists (select from public.articles as a where a.cover = objects.name)
      or split_part(name, '/', 1) = (select auth.uid())::text));

-- At most four covers that no article uses, and 500 in all.
create function private.has_cover_room(folder uuid) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select count(*) < 500 and count(*) filter (where not exists (select from public.articles as a where a.cover = o.name)) < 4
  from storage.objects as o
  -- In the order of the index: "0" follows "/".
  where o.bucket_id = 'article-covers' and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0'
$$;
revoke all on function private.has_cover_room(uuid) from public;

-- Whether the caller writes articles and has room for another cover.
create function private.may_add_cover(folder uuid) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select folder = auth.uid() and private.is_own_app() and not private.is_suspended()
    and (private.is_admin() or private.is_verified_coach()) and private.has_cover_room(folder)
$$;
revoke all on function private.may_add_cover(uuid) from public;
grant execute on function private.may_add_cover(uuid) to authenticated;
create policy "the newsroom adds covers" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'article-covers' and name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.jpg$'
    and private.may_add_cover(private.owner_of(name)));
create policy "authors remove covers" on storage.objects
  for delete to authenticated
  using (bucket_id = 'article-covers' and private.owner_of(name) = (select auth.uid()) and (select private.is_own_app()));
create trigger check_owner_of_cover before insert on storage.objects
  for each row when (new.bucket_id = 'article-covers') execute function private.check_owner_of_file();

-- The cover goes with its article, or when another takes its place. The file of an account that is deleted stays as long as
-- the article does.
create function private.remove_cover() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  before constant text := coalesce(current_setting('storage.allow_delete_query', true), '');
begin
  perform set_config('storage.allow_delete_query', 'true', true);
  with gone as (
    delete from storage.objects as o where o.bucket_id = 'article-covers' and o.name = old.cover
    returning o.bucket_id, o.name, o.version
  )
  insert into private.removed_files (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone as g;
  perform set_config('storage.allow_delete_query', before, true);
  notify storage_removed_files;
  return null;
end
$$;
revoke all on function private.remove_cover() from public;
create trigger remove_cover after delete on public.articles
  for each row when (old.cover is not null) execute function private.remove_cover();
create trigger replace_cover after update of cover on public.articles
  for each row when (old.cover is not null and new.cover is distinct from old.cover) execute function private.remove_cover();

-- For whom the caller writes: the site's newsroom, and teams.
create function public.newsroom_rights() returns table (site boolean, teams jsonb)
language sql stable security definer
set search_path = ''
as $$
  select private.is_admin(),
    (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name), '[]')
     from public.teams as t where t.active and t.id in (select private.newsroom_teams()))
  where private.is_own_app() and not private.is_suspended()
$$;
revoke all on function public.newsroom_rights() from public, anon, authenticated;
grant execute on function public.newsroom_rights() to authenticated;

-- RSS 2.0 with the latest 20 articles, for feed readers: GET /rest/v1/rpc/news_rss. It
-- contains what visitors may read, also for signed-in callers, and answers any Accept header. Links lead to the host of the request.
create domain public."*/*" as bytea;
create function private.xml_text(words text) returns text
language sql immutable
set search_path = ''
as $$ select regexp_replace(words, '[\x01-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]', '', 'g') $$;
revoke all on function private.xml_text(text) from public;
create function private.news_xml(url text) returns text
language sql stable
set search_path = ''
as $$
  with latest as (
    select a.* from public.articles as a
    where a.status = 'published' and a.published_at <= now() and not a.withheld
      and (a.team_id is null or exists (select from public.teams as t where t.id = a.team_id and t.active))
    order by a.published_at desc, a.id desc
    limit 20
  )
  select '<?xml version="1.0" encoding="UTF-8"?>' || chr(10) || xmlelement(name rss, xmlattributes('2.0' as version),
    xmlelement(name channel,
      xmlelement(name title, 'Dugout Newsroom'),
      xmlelement(name link, url || '/news-reel'),
      xmlelement(name description, 'Game recaps and news.'),
      xmlelement(name language, 'en-us'),
      (select xmlagg(
        xmlelement(name item,
          xmlelement(name title, private.xml_text(l.title)),
          xmlelement(name link, url || '/news-reel/' || l.id),
          xmlelement(name guid, xmlattributes('false' as "isPermaLink"), l.id),
          xmlelement(name "pubDate", to_char(l.published_at at time zone 'utc', 'Dy, DD Mon YYYY HH24:MI:SS "GMT"')),
          xmlelement(name description, private.xml_text(l.summary)),
          (select xmlagg(xmlelement(name category, tag)) from unnest(l.tags) as tag))
        order by l.published_at desc, l.id desc)
       from latest as l)))::text
$$;
revoke all on function private.news_xml(text) from public;

create function public.news_rss() returns public."*/*"
language plpgsql stable security definer
set search_path = ''
as $$
declare
  host constant text := regexp_replace(
    coalesce(nullif(current_setting('request.headers', true), '')::json ->> 'host', 'localhost'), '[^A-Za-z0-9.:\[\]-]', '', 'g');
begin
  perform set_config('response.headers',
    '[{"Content-Type": "application/rss+xml; charset=utf-8"}, {"Cache-Control": "public, max-age=300"}]', true);
  return convert_to(private.news_xml(
    case when host ~ '^(localhost|127\.|\[::1\])' then 'http://' else 'https://' end || host), 'UTF8');
end
$$;
revoke all on function public.news_rss() from public, anon, authenticated;
grant execute on function public.news_rss() to anon, authenticated;

-- The head of a shared page, with games and articles: see 20261122130000.
create or replace function public.page_meta(path text) returns jsonb
language sql stable security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'title', p.full_name,
    'type', 'profile',
    'description', concat_ws(' · ',
      case p.role when 'player' then 'Player' when 'coach' then 'Coach' when 'scout' then 'Scout' when 'fan' then 'Fan' end,
      nullif(array_to_string(y.positions, ', '), ''),
      'Class of ' || y.grad_year))
  from public.profiles as p
  left join public.players as y on y.user_id = p.id and p.role = 'player'
  where p.full_name <> ''
    and p.id = substring(page_meta.path from '^/player/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?$')::uuid
  union all
  select jsonb_build_object(
    'title', g.visitor_name || ' at ' || g.home_name,
    'type', 'website',
    'description', concat_ws(' · ',
      case g.status
        when 'final' then format('Final %s–%s', g.visitor_runs, g.home_runs)
        when 'live' then format('Live %s–%s', g.visitor_runs, g.home_runs)
      end,
      to_char(g.played_on, 'FMMonth FMDD, YYYY')))
  from public.games as g
  where g.id = substring(page_meta.path from '^/games/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?$')::uuid
  union all
  select jsonb_build_object('title', a.title, 'type', 'article', 'description', a.summary)
  from public.articles as a
  where a.status = 'published' and a.published_at <= now()
    and a.id = substring(page_meta.path from '^/news-reel/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?$')::uuid
$$;

-- The players of a game whom a recap may name: those whose profile is public, and public athletes of archives.
create function private.public_names(game uuid) returns table (athlete uuid, full_name text)
language sql stable security definer
set search_path = ''
as $$
  select l.athlete_id, coalesce(p.full_name, i.full_name)
  from public.lineups as l
  join public.athletes as a on a.id = l.athlete_id
  join public.athlete_identities as i on i.athlete_id = l.athlete_id
  left join public.profiles as p on p.id = i.user_id and p.public_profile and p.shown_from <= private.today()
  where l.game_id = public_names.game and (p.id is not null or (i.user_id is null and a.is_public))
$$;
revoke all on function private.public_names(uuid) from public;
grant execute on function private.public_names(uuid) to authenticated;

-- What the function recap reads of a game: as private.begin_scoring() tells it, without a lock. Only the newsroom of its team.
create function private.game_to_recap(game uuid) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  told public.games;
begin
  perform private.caller();
  select g.* into told from public.games as g
  where g.id = game_to_recap.game and (g.owner_team_id in (select private.newsroom_teams()) or (g.is_public and private.is_admin()));
  if told.id is null then
    raise exception 'Recaps are written by the verified coaches of the team.' using errcode = '42501';
  elsif told.status <> 'final' then
    raise exception 'This game is not final yet.' using errcode = 'PT409';
  end if;
  return jsonb_build_object(
    'game', to_jsonb(told),
    'lineups', (
      select coalesce(jsonb_agg(jsonb_build_object('athlete', l.athlete_id, 'side', l.side, 'jersey', l.jersey,
        'order', l.bat_order, 'position', l.position) order by l.side, l.bat_order, l.athlete_id), '[]')
      from public.lineups as l where l.game_id = told.id),
    'log', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'record', p.record, 'replaces', p.replaces, 'after', p.after)
        order by p.seq), '[]')
      from public.plays as p where p.game_id = told.id),
    'names', (select coalesce(jsonb_object_agg(n.athlete, n.full_name), '{}') from private.public_names(told.id) as n));
end
$$;
revoke all on function private.game_to_recap(uuid) from public;
grant execute on function private.game_to_recap(uuid) to authenticated;

-- An article for a team reaches minors only while its author is a verified coach, like the names of teams. Visitors may be
-- minors. When the author's account is deleted, the article keeps its last state.

alter table public.articles add column vetted boolean not null default true;
create index articles_team_author_idx on public.articles (author_id) where team_id is not null;
-- private.check_article() recomputes `withheld` here, which changes nothing.
update public.articles as a set vetted = false
where a.team_id is not null and a.author_id is not null and not private.coach_is_verified(a.author_id);

create function private.vet_articles(coach uuid, stands boolean) returns void
language sql
set search_path = ''
as $$
  update public.articles as a set vetted = vet_articles.stands
  where a.author_id = vet_articles.coach and a.team_id is not null and a.vetted <> vet_articles.stands
$$;
revoke all on function private.vet_articles(uuid, boolean) from public;

-- As in 20261122100200, with the articles.
create or replace function private.settle_coach(coach uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  stands constant boolean := exists (select from private.coach_verifications as v where v.coach_id = coach)
    or (select count(*) from public.coach_vouches as v where v.coach_id = coach and private.coach_is_verified(v.voucher_id)) >= 2;
begin
  update public.coaches as c set verified_at = case when stands then now() end
  where c.user_id = coach and (c.verified_at is not null) <> stands;
  if not found then
    return;
  end if;
  update public.teams as t set vetted = stands where t.named_by = coach;
  -- Not `stands`: a suspended coach, or one who has another role by now, is not verified.
  perform private.vet_articles(coach, private.coach_is_verified(coach));
  if not stands then
    delete from public.coach_vouches as v where v.voucher_id = coach;
  end if;
end
$$;

-- As in 20261122100200, with the articles.
create or replace function private.settle_vouched() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  coach constant uuid := case when tg_table_name = 'users' then (to_jsonb(new) ->> 'id')::uuid
    else (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> 'user_id')::uuid end;
begin
  -- An account that is being deleted takes its vouches along by itself.
  if not exists (select from public.users as u where u.id = coach) then
    return null;
  end if;
  if exists (select from public.coaches as c where c.user_id = coach and c.verified_at is not null) then
    update public.teams as t set vetted = private.coach_is_verified(coach) where t.named_by = coach;
    perform private.vet_articles(coach, private.coach_is_verified(coach));
  end if;
  perform private.settle_coach(v.coach_id) from public.coach_vouches as v where v.voucher_id = coach;
  return null;
end
$$;

alter policy "visitors read what is published" on public.articles
  using (status = 'published' and published_at <= now() and not withheld and vetted
    and (team_id is null or exists (select from public.teams as t where t.id = team_id)));
alter policy "users read what is published, and their newsroom" on public.articles
  using (
    (status = 'published' and published_at <= now() and not withheld and (vetted or (select private.is_adult()))
      and (team_id is null or exists (select from public.teams as t where t.id = team_id))
      and (author_id is null or author_id not in (select private.unseen_people())))
    or team_id in (select private.newsroom_teams())
    or (team_id is null and (select private.is_admin()))
  );

-- As in 20261123070500, without the articles that visitors do not read. The team's name must be vetted, too.
create or replace function private.news_xml(url text) returns text
language sql stable
set search_path = ''
as $$
  with latest as (
    select a.* from public.articles as a
    where a.status = 'published' and a.published_at <= now() and not a.withheld and a.vetted
      and (a.team_id is null or exists (select from public.teams as t where t.id = a.team_id and t.active and t.vetted))
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

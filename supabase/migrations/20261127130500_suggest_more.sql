-- The search also finds college programs, games and articles. It reads what every user may see, whoever asks, besides the articles
-- of people whom the caller has blocked.

-- private.folded() written out, as in 20261123040000. The parts of a name are one text, so that typed words may come from both.
create index programs_name_trgm_idx on public.programs
  using gin (lower(regexp_replace(normalize(name || ' ' || coalesce(institution, ''), nfd), '[\u0300-\u036f''’.]', '', 'g')) extensions.gin_trgm_ops);
create index games_name_trgm_idx on public.games
  using gin (lower(regexp_replace(normalize(visitor_name || ' ' || home_name, nfd), '[\u0300-\u036f''’.]', '', 'g')) extensions.gin_trgm_ops)
  where is_public and status <> 'cancelled';
create index articles_title_trgm_idx on public.articles
  using gin (lower(regexp_replace(normalize(title, nfd), '[\u0300-\u036f''’.]', '', 'g')) extensions.gin_trgm_ops)
  where status = 'published';

-- Whether a word of a folded name begins with what was typed.
create function private.begins_word(name text, typed text) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select name ^@ typed or position(' ' || typed in name) > 0 $$;
revoke all on function private.begins_word(text, text) from public;

-- Programs by name or institution: names with a word that begins like the text; if there are none, similar ones.
create function private.suggest_programs(typed text, rows integer)
returns table (kind text, id text, name text, detail text)
language sql stable
set search_path = ''
as $$
  with found as materialized (
    select p.*, private.begins_word(folded.name, typed) as begins, extensions.word_similarity(typed, folded.name) as score
    from public.programs as p,
      lateral (select lower(regexp_replace(normalize(p.name || ' ' || coalesce(p.institution, ''), nfd), '[\u0300-\u036f''’.]', '', 'g'))) as folded (name)
    where typed operator(extensions.<%) folded.name
  )
  select 'program', f.id, f.name, concat_ws(' · ', 'Division ' || repeat('I', f.division), nullif(f.conference, ''), f.state)
  -- Of three letters, one wrong one leaves too little.
  from found as f where f.begins or (char_length(typed) >= 4 and not exists (select from found where begins))
  order by f.score desc, f.name, f.id
  limit rows
$$;
revoke all on function private.suggest_programs(text, integer) from public;

-- Public games of archives, and of teams that everybody sees, by the name of a team; the latest first.
create function private.suggest_games(typed text, rows integer)
returns table (kind text, id text, name text, detail text)
language sql stable
set search_path = ''
as $$
  with found as materialized (
    select g.id, g.visitor_name, g.home_name, g.played_on, g.number, g.status, g.visitor_runs, g.home_runs, private.begins_word(folded.name, typed) as begins
    from public.games as g,
      lateral (select lower(regexp_replace(normalize(g.visitor_name || ' ' || g.home_name, nfd), '[\u0300-\u036f''’.]', '', 'g'))) as folded (name)
    where g.is_public and g.status <> 'cancelled' and typed operator(extensions.<%) folded.name
      and (g.owner_team_id is null or exists (select from public.teams as t where t.id = g.owner_team_id and t.active and t.vetted))
  )
  select 'game', f.id::text, f.visitor_name || ' at ' || f.home_name, concat_ws(' · ', to_char(f.played_on, 'Mon FMDD, YYYY'), case f.status
    when 'final' then 'Final ' || f.visitor_runs || '–' || f.home_runs when 'live' then 'Live' when 'suspended' then 'Suspended' else 'Scheduled' end)
  from found as f where f.begins or (char_length(typed) >= 4 and not exists (select from found where begins))
  order by f.played_on desc, f.number desc, f.id
  limit rows
$$;
revoke all on function private.suggest_games(text, integer) from public;

-- Published articles by title, the latest first.
create function private.suggest_articles(typed text, rows integer)
returns table (kind text, id text, name text, detail text)
language sql stable
set search_path = ''
as $$
  with found as materialized (
    select a.id, a.title, a.kind, a.published_at, t.name as team, private.begins_word(folded.name, typed) as begins
    from public.articles as a left join public.teams as t on t.id = a.team_id,
      lateral (select lower(regexp_replace(normalize(a.title, nfd), '[\u0300-\u036f''’.]', '', 'g'))) as folded (name)
    where a.status = 'published' and a.published_at <= now() and not a.withheld and a.vetted
      and typed operator(extensions.<%) folded.name
      and (a.team_id is null or (t.active and t.vetted))
      and (a.author_id is null or a.author_id not in (select private.unseen_people()))
  )
  select 'article', f.id::text, f.title, concat_ws(' · ', case f.kind when 'recap' then 'Recap' end, to_char(f.published_at at time zone 'utc', 'Mon FMDD, YYYY'), f.team)
  from found as f where f.begins or (char_length(typed) >= 4 and not exists (select from found where begins))
  order by f.published_at desc, f.id
  limit rows
$$;
revoke all on function private.suggest_articles(text, integer) from public;

-- As in 20261123040100.
create function private.suggest_teams(typed text, rows integer)
returns table (kind text, id text, name text, detail text)
language sql stable
set search_path = ''
as $$
  select 'team', t.id::text, t.name, concat_ws(', ', nullif(t.city, ''), t.state)
  from public.teams as t, lateral (select lower(regexp_replace(normalize(t.name, nfd), '[\u0300-\u036f''’.]', '', 'g'))) as folded (name)
  where t.active and t.vetted and typed operator(extensions.<%) folded.name
  order by extensions.word_similarity(typed, folded.name) + (folded.name ^@ typed)::integer desc, t.name, t.id
  limit rows
$$;
revoke all on function private.suggest_teams(text, integer) from public;

-- What matches while somebody types: up to "most" players, teams, coaches, programs, games and articles each. kind: one of player,
-- team, coach, program, game, article; detail: the line below the name. kinds: null for all. With most + 1, up to 51, a caller
-- learns whether there are more.
drop function public.search_suggest(text, integer);
create function public.search_suggest(query text, most integer default 5, kinds text[] default null)
returns table (kind text, id text, name text, detail text)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  typed constant text := private.typed(query);
  rows constant integer := greatest(1, least(coalesce(most, 5), 51));
  wanted constant text[] := coalesce(kinds, array['player', 'team', 'coach', 'program', 'game', 'article']);
  coaches constant text := format('s.role = ''coach'' and s.shown_from <= %L::date', private.today());
begin
  perform private.caller();
  if typed is null then
    return;
  end if;
  if 'player' = any (wanted) then
    return query
    select 'player', f.id::text, p.full_name, concat_ws(' · ', w.positions[1], w.grad_year, private.public_team(f.id))
    from private.find_people(private.search_condition('{}'), typed, rows) as f
    join public.profiles as p on p.id = f.id join public.players as w on w.user_id = f.id
    order by f.score desc, f.name, f.id;
  end if;
  perform private.tolerate_typos();
  if 'team' = any (wanted) then
    return query select s.* from private.suggest_teams(typed, rows) as s;
  end if;
  if 'coach' = any (wanted) then
    return query
    select 'coach', f.id::text, p.full_name, coalesce((
      select string_agg(t.name, ', ' order by t.name) from public.team_members as m join public.teams as t on t.id = m.team_id
      where m.user_id = f.id and m.role = 'coach' and m.status = 'active' and t.active and t.vetted), '')
    from private.find_people(coaches, typed, rows) as f join public.profiles as p on p.id = f.id
    order by f.score desc, f.name, f.id;
  end if;
  if 'program' = any (wanted) then
    return query select s.* from private.suggest_programs(typed, rows) as s;
  end if;
  if 'game' = any (wanted) then
    return query select s.* from private.suggest_games(typed, rows) as s;
  end if;
  if 'article' = any (wanted) then
    return query select s.* from private.suggest_articles(typed, rows) as s;
  end if;
end
$$;
revoke all on function public.search_suggest(text, integer, text[]) from public, anon, authenticated;
grant execute on function public.search_suggest(text, integer, text[]) to authenticated;

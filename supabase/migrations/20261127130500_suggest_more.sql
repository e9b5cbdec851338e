-- The search also finds college programs, games and articles. It finds only what every user may see, and leaves out the articles of
-- people whom the caller has blocked.

-- private.folded() written out, as in 20261123040000. The parts of a name are one text, so that typed words may come from both.
create index programs_name_trgm_idx on public.programs
  using gin (lower(regexp_replace(normalize(name || ' ' || coalesce(institution, ''), nfd), '[\u0300-\u036f''’.]', '', 'g')) extensions.gin_trgm_ops);
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

-- The names of public games, folded and with a space before each word, so that a search reads no row of games that it does not list:
-- a team's name can be in every tenth of them.
create table private.game_names (
  game_id uuid primary key references public.games (id) on delete cascade,
  name text collate "C" not null,
  played_on date not null,
  -- As in games; null in archives.
  owner_team_id uuid
);
create index game_names_name_trgm_idx on private.game_names using gin (name extensions.gin_trgm_ops);

create function private.keep_game_name() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.is_public and new.status <> 'cancelled' then
    insert into private.game_names (game_id, name, played_on, owner_team_id)
    values (new.id, ' ' || private.folded(new.visitor_name || ' ' || new.home_name), new.played_on, new.owner_team_id)
    on conflict (game_id) do update
    set name = excluded.name, played_on = excluded.played_on, owner_team_id = excluded.owner_team_id;
  else
    delete from private.game_names as n where n.game_id = new.id;
  end if;
  return null;
end
$$;
revoke all on function private.keep_game_name() from public;
create trigger keep_game_name after insert on public.games for each row execute function private.keep_game_name();
create trigger keep_changed_game_name after update on public.games
  for each row when ((old.visitor_name, old.home_name, old.played_on, old.is_public, old.status, old.owner_team_id)
    is distinct from (new.visitor_name, new.home_name, new.played_on, new.is_public, new.status, new.owner_team_id))
  execute function private.keep_game_name();
insert into private.game_names (game_id, name, played_on, owner_team_id)
select g.id, ' ' || private.folded(g.visitor_name || ' ' || g.home_name), g.played_on, g.owner_team_id
from public.games as g where g.is_public and g.status <> 'cancelled';

-- Public games of archives, and of teams that everybody sees, by the name of a team; the latest first. If no word begins like the
-- text, games with similar names.
create function private.suggest_games(typed text, rows integer)
returns table (kind text, id text, name text, detail text)
language sql stable
set search_path = ''
as $$
  with shown as not materialized (
    select n.* from private.game_names as n
    where n.owner_team_id is null or n.owner_team_id in (select t.id from public.teams as t where t.active and t.vetted)
  ), begun as materialized (
    select s.game_id, s.played_on from shown as s where s.name like '% ' || typed || '%' order by s.played_on desc, s.game_id limit rows
  ), alike as materialized (
    select s.game_id, s.played_on from shown as s
    -- Of three letters, one wrong one leaves too little.
    where char_length(typed) >= 4 and not exists (select from begun) and typed operator(extensions.<%) s.name
    order by s.played_on desc, s.game_id limit rows
  )
  select 'game', g.id::text, g.visitor_name || ' at ' || g.home_name, concat_ws(' · ', to_char(g.played_on, 'Mon FMDD, YYYY'), case g.status
    when 'final' then 'Final ' || g.visitor_runs || '–' || g.home_runs when 'live' then 'Live' when 'suspended' then 'Suspended' else 'Scheduled' end)
  from (select * from begun union all select * from alike) as f join public.games as g on g.id = f.game_id
  order by f.played_on desc, f.game_id
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

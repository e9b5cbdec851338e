-- What /search and the search box call. Both run as their owner, because row policies would ask who the caller is for each
-- candidate; all that they read is public: the index of 20261123040000 and the teams with a vetted name.

-- The SQL condition of the filters on search_people, without the filter named by "except". Values are quoted literals.
create function private.search_condition(filters jsonb, "except" text default '') returns text
language plpgsql stable
set search_path = ''
as $$
declare
  condition text := format('s.role = ''player'' and s.shown_from <= %L::date', private.today());
  part record;
  list text[];
begin
  for part in select * from jsonb_each(filters) as f (key, value) where f.key <> "except" loop
    list := null;
    if jsonb_typeof(part.value) = 'array' then
      select array_agg(v) into list from jsonb_array_elements_text(part.value) as v;
      continue when list is null;
    end if;
    if (list is null) = (part.key in ('class', 'position', 'state', 'bats', 'throws')) or cardinality(list) > 60 then
      raise exception 'The filter % cannot be read.', part.key using errcode = 'PT400',
        hint = 'class, position, state, bats and throws are lists of up to 60 values, all others single values.';
    end if;
    condition := condition || ' and ' || case part.key
      when 'class' then format('s.grad_year = any (%L::integer[])', list)
      when 'position' then format('s.positions && %L::text[]', list)
      when 'state' then format('s.state = any (%L::text[])', list)
      when 'bats' then format('s.bats = any (%L::text[])', list)
      when 'throws' then format('s.throws = any (%L::text[])', list)
      when 'height' then format('s.height_in >= %L::numeric', part.value #>> '{}')
      when 'velocity' then format('%s >= %L::numeric',
        case when filters ? 'verified' and "except" <> 'verified' then 's.verified_velocity' else 's.velocity' end, part.value #>> '{}')
      when 'verified' then 's.verified'
      when 'team' then format('exists (select from public.team_members as m join public.teams as t on t.id = m.team_id
        where m.user_id = s.id and m.team_id = %L::uuid and m.role = ''player'' and m.status = ''active'' and t.active and t.vetted)',
        part.value #>> '{}')
    end;
    if condition is null then
      raise exception 'There is no filter %.', part.key using errcode = 'PT400';
    end if;
  end loop;
  return condition;
end
$$;
revoke all on function private.search_condition(jsonb, text) from public;

-- What is searched for. Null if it is too short to search for.
create function private.typed(query text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  typed constant text := btrim(regexp_replace(private.folded(coalesce(query, '')), '[\s%_\\]+', ' ', 'g'));
begin
  if char_length(query) > 100 then
    raise exception 'A search has up to 100 characters.' using errcode = 'PT400';
  end if;
  return case when char_length(typed) >= 2 then typed end;
end
$$;
revoke all on function private.typed(text) from public;

-- Lets the operator <% find names with a wrong letter or two exchanged ones, for the rest of the transaction. Not a setting of the functions:
-- only a session that has loaded pg_trgm may create those.
create function private.tolerate_typos() returns void
language plpgsql
set search_path = ''
as $$
begin
  perform extensions.word_similarity('', '');
  perform set_config('pg_trgm.word_similarity_threshold', '0.37', true);
end
$$;
revoke all on function private.tolerate_typos() from public;

-- The first "most" people who meet a condition: 3 for names that begin with what was typed, 2 for those of which another word
-- does, and if these are few, similar names with how similar they are, up to 1. Without text, in the order of names.
create function private.find_people(condition text, typed text, most integer)
returns table (id uuid, name text, score real)
language plpgsql stable
set search_path = ''
as $$
declare
  -- Similar names are sought from this length on: of three letters, one wrong one leaves too little.
  least_length constant integer := 4;
  -- With as many exact matches nobody misses the similar ones; with a second word one match is enough.
  enough constant integer := case when typed like '% %' then 1 else 5 end;
  found_so_far integer := 0;
  n integer;
begin
  if typed is null then
    return query execute format('select s.id, s.name, 0::real from private.search_people as s where %s
      order by s.role, s.name, s.id limit %s', condition, most);
    return;
  end if;
  return query execute format('select s.id, s.name, 3::real from private.search_people as s where %s and s.name ^@ %L
    order by s.role, s.name, s.id limit %s', condition, typed, most);
  get diagnostics found_so_far = row_count;
  if found_so_far < most then
    return query execute format('with f as materialized (
        select s.id, s.name from private.search_people as s where %s and s.name like %L and not s.name ^@ %L)
      select f.id, f.name, 2::real from f order by f.name, f.id limit %s',
      condition, '% ' || typed || '%', typed, most - found_so_far);
    get diagnostics n = row_count;
    found_so_far := found_so_far + n;
  end if;
  if found_so_far < enough and char_length(typed) >= least_length then
    perform private.tolerate_typos();
    return query execute format('with f as materialized (
        select s.id, s.name from private.search_people as s
        where %s and %L operator(extensions.<%%) s.name and not s.name ^@ %2$L and s.name not like %3$L)
      select f.id, f.name, extensions.word_similarity(%2$L, f.name) from f order by 3 desc, f.name, f.id limit %4$s',
      condition, typed, '% ' || typed || '%', most - found_so_far);
  end if;
end
$$;
revoke all on function private.find_people(text, text, integer) from public;

-- The same people in no order, which without text needs no index in the order of names.
create function private.find_some(condition text, typed text, most integer) returns uuid[]
language plpgsql stable
set search_path = ''
as $$
declare
  people uuid[];
begin
  if typed is null then
    execute format('select array(select s.id from private.search_people as s where %s limit %s)', condition, most) into people;
    return people;
  end if;
  return array(select f.id from private.find_people(condition, typed, most) as f);
end
$$;
revoke all on function private.find_some(text, text, integer) from public;

-- The name of the first team with a vetted name in which somebody plays.
create function private.public_team(player uuid) returns text
language sql stable
set search_path = ''
as $$
  select t.name from public.team_members as m join public.teams as t on t.id = m.team_id
  where m.user_id = player and m.role = 'player' and m.status = 'active' and t.active and t.vetted
  order by m.created_at, t.id limit 1
$$;
revoke all on function private.public_team(uuid) from public;

-- What a result shows of a player: facts, the team, and up to three numbers that matter at the position.
create function private.player_card(id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('id', p.id, 'name', p.full_name, 'positions', w.positions, 'class', w.grad_year, 'state', w.state,
    'bats', w.bats, 'throws', w.throws, 'height', w.height_in,
    'team', private.public_team(p.id),
    'numbers', coalesce((
      select jsonb_agg(jsonb_build_object('metric', shown.metric, 'label', shown.label, 'unit', shown.unit,
        'decimals', shown.decimals, 'value', shown.value, 'source', shown.source, 'verified', shown.verified) order by shown.place)
      from (
        select k.kind as metric, k.label, k.unit, k.decimals, n.value, n.source, n.verified, wanted.place
        from unnest(case w.position_group
          when 'P' then array['fastball_max', 'spin_rate', 'sixty_yard_dash']
          when 'C' then array['sixty_yard_dash', 'exit_velocity_max', 'pop_time']
          when 'OF' then array['sixty_yard_dash', 'exit_velocity_max', 'outfield_velocity']
          else array['sixty_yard_dash', 'exit_velocity_max', 'infield_velocity'] end) with ordinality as wanted (kind, place)
        join public.measurement_kinds as k on k.kind = wanted.kind and k.active
        join public.player_numbers as n on n.player_id = p.id and n.metric = k.kind
      ) as shown), '[]'))
  from public.profiles as p join public.players as w on w.user_id = p.id
  where p.id = player_card.id
$$;
revoke all on function private.player_card(uuid) from public;

-- How many of these players have each value of each facet, by facet.
create function private.facet_counts(people uuid[]) returns jsonb
language sql stable
set search_path = ''
as $$
  with found as materialized (
    select s.* from private.search_people as s where s.id = any (people)
  ), counted as (
    select f.facet, f.value, count(*) as n
    from found as s, lateral (values ('class', s.grad_year::text), ('state', s.state), ('bats', s.bats), ('throws', s.throws),
      ('verified', case when s.verified then 'true' end)) as f (facet, value)
    where f.value is not null group by 1, 2
    union all
    select 'position', place, count(*) from found as s, unnest(s.positions) as place group by 2
  ), by_facet as (
    select facet, jsonb_object_agg(value, n) as counts from counted group by facet
  )
  select coalesce(jsonb_object_agg(facet, counts), '{}') from by_facet
$$;
revoke all on function private.facet_counts(uuid[]) from public;

-- A page of 20 players. filters: class, position, state, bats, throws (lists), height, velocity (least numbers), verified
-- (true), team (id). Returns total (1001 means more than 1,000), players, next (what to pass as after for the next page; null
-- at the end, and after the first thousand), facets (counts by facet and value, each without the facet's own filter; null
-- where there are more than 1,000), and without (where nothing was found: how many there are without each filter).
create function public.search_players(query text default '', filters jsonb default '{}', after jsonb default null)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  most constant integer := 1000;
  typed constant text := private.typed(query);
  condition text := private.search_condition(filters);
  people uuid[];
  others uuid[];
  page jsonb;
  facets jsonb := '{"class": null, "position": null, "state": null, "bats": null, "throws": null, "verified": null}';
  without jsonb := '{}';
  facet text;
begin
  perform private.caller();
  if typed is null then
    people := private.find_some(condition, typed, most + 1);
    if cardinality(people) <= most then
      -- So few are sorted by themselves: the index in the order of names would be read to its end.
      condition := format('s.id = any (%L::uuid[])', people);
    end if;
  end if;
  with found as materialized (
    select f.*, row_number() over (order by f.score desc, f.name, f.id) as place
    from private.find_people(condition, typed, most + 1) as f
  ), page as materialized (
    select f.*, row_number() over (order by f.place) as n from found as f
    where f.place <= most and (after is null
      or (-f.score, f.name, f.id) > (-(after ->> 0)::real, (after ->> 1) collate "C", (after ->> 2)::uuid))
    order by f.place limit 21
  )
  select array(select f.id from found as f), jsonb_build_object(
    'players', coalesce(jsonb_agg(private.player_card(p.id) order by p.n) filter (where p.n <= 20), '[]'),
    'next', case when count(*) > 20 then (select jsonb_build_array(l.score, l.name, l.id) from page as l where l.n = 20) end)
  into people, page from page as p;

  if after is null then
    if cardinality(people) <= most then
      facets := facets || private.facet_counts(people);
    end if;
    for facet in select f from jsonb_object_keys(filters) as f where facets ? f or cardinality(people) = 0 loop
      others := private.find_some(private.search_condition(filters, facet), typed, most + 1);
      if facets ? facet then
        facets := facets || jsonb_build_object(facet,
          case when cardinality(others) <= most then private.facet_counts(others) -> facet end);
      end if;
      if cardinality(people) = 0 then
        without := without || jsonb_build_object(facet, cardinality(others));
      end if;
    end loop;
  end if;
  return page || jsonb_build_object('total', cardinality(people), 'facets', facets, 'without', without);
end
$$;
revoke all on function public.search_players(text, jsonb, jsonb) from public, anon, authenticated;
grant execute on function public.search_players(text, jsonb, jsonb) to authenticated;

-- What matches while somebody types: up to "most" players, teams and coaches each. kind: player, team, coach; detail: the
-- line below the name.
create function public.search_suggest(query text, most integer default 5)
returns table (kind text, id uuid, name text, detail text)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  typed constant text := private.typed(query);
  rows constant integer := greatest(1, least(coalesce(most, 5), 50));
  coaches constant text := format('s.role = ''coach'' and s.shown_from <= %L::date', private.today());
begin
  perform private.caller();
  if typed is null then
    return;
  end if;
  return query
  select 'player', f.id, p.full_name, concat_ws(' · ', w.positions[1], w.grad_year, private.public_team(f.id))
  from private.find_people(private.search_condition('{}'), typed, rows) as f
  join public.profiles as p on p.id = f.id join public.players as w on w.user_id = f.id
  order by f.score desc, f.name, f.id;
  perform private.tolerate_typos();
  return query
  select 'team', t.id, t.name, concat_ws(', ', nullif(t.city, ''), t.state)
  from public.teams as t, lateral (select lower(regexp_replace(normalize(t.name, nfd), '[\u0300-\u036f''’.]', '', 'g'))) as folded (name)
  where t.active and t.vetted and typed operator(extensions.<%) folded.name
  order by extensions.word_similarity(typed, folded.name) + (folded.name ^@ typed)::integer desc, t.name, t.id
  limit rows;
  return query
  select 'coach', f.id, p.full_name, coalesce((
    select string_agg(t.name, ', ' order by t.name) from public.team_members as m join public.teams as t on t.id = m.team_id
    where m.user_id = f.id and m.role = 'coach' and m.status = 'active' and t.active and t.vetted), '')
  from private.find_people(coaches, typed, rows) as f join public.profiles as p on p.id = f.id
  order by f.score desc, f.name, f.id;
end
$$;
revoke all on function public.search_suggest(text, integer) from public, anon, authenticated;
grant execute on function public.search_suggest(text, integer) to authenticated;

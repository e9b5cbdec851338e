-- Seasons, athletes, rosters, games and lineups. Every number of a game is computed from its plays, which follow in
-- 20261123030100.

create table public.seasons (
  id uuid primary key default gen_random_uuid(),
  -- Of a league, or of a team that plays in none.
  league_id uuid references public.leagues (id) on delete cascade,
  team_id uuid references public.teams (id) on delete cascade,
  year integer not null check (year between 1850 and 2100),
  name text not null default '' check (char_length(name) <= 60),
  created_at timestamptz not null default now(),
  constraint seasons_one_owner check ((league_id is null) <> (team_id is null)),
  constraint seasons_once_key unique nulls not distinct (league_id, team_id, year, name)
);
create index seasons_team_id_idx on public.seasons (team_id);

-- A person on a score sheet: a user of the app, a guest whom a coach entered, or somebody of an archive.
create table public.athletes (
  id uuid primary key default gen_random_uuid(),
  -- With the jersey, all that strangers see of players whose name is not public.
  initial text not null check (char_length(initial) <= 2),
  -- Archives of professional leagues: the name is public.
  is_public boolean not null default false,
  -- The team whose coach entered a guest.
  owner_team_id uuid references public.teams (id) on delete cascade,
  -- The id in an archive, for example Retrosheet's troum001; unique in its league.
  league_id uuid references public.leagues (id) on delete cascade,
  external_id text check (char_length(external_id) between 1 and 64),
  created_at timestamptz not null default now(),
  constraint athletes_external_key unique (league_id, external_id)
);
create index athletes_owner_team_id_idx on public.athletes (owner_team_id);

-- Who an athlete is. A user's name is in profiles, whose policies decide who reads it.
create table public.athlete_identities (
  athlete_id uuid primary key references public.athletes (id) on delete cascade,
  user_id uuid unique references public.profiles (id) on delete cascade,
  full_name text check (char_length(btrim(full_name)) between 1 and 120),
  bats text check (bats in ('L', 'R', 'S')),
  throws text check (throws in ('L', 'R')),
  constraint athlete_identities_one_name check ((user_id is null) <> (full_name is null))
);

create table public.rosters (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  jersey text check (jersey ~ '^[0-9]{1,2}$'),
  joined_on date not null default (now() at time zone 'utc')::date,
  left_on date,
  constraint rosters_dates_in_order check (left_on >= joined_on),
  constraint rosters_stints_key unique (team_id, athlete_id, joined_on)
);
create unique index rosters_once_key on public.rosters (team_id, athlete_id) where left_on is null;
create index rosters_athlete_id_idx on public.rosters (athlete_id);

create table public.games (
  id uuid primary key default gen_random_uuid(),
  season_id uuid references public.seasons (id) on delete set null,
  -- The game's id in an archive, for example ANA201604040; unique in its season.
  external_id text check (char_length(external_id) between 1 and 64),
  -- The team whose coaches schedule and score the game; null for an archive's.
  owner_team_id uuid references public.teams (id) on delete cascade,
  visitor_team_id uuid references public.teams (id) on delete set null,
  home_team_id uuid references public.teams (id) on delete set null,
  visitor_name text not null check (char_length(btrim(visitor_name)) between 1 and 100),
  home_name text not null check (char_length(btrim(home_name)) between 1 and 100),
  -- The date at the field. An archive may know no time.
  played_on date not null,
  starts_at timestamptz,
  -- 1 and 2 in a double-header, otherwise 0.
  number smallint not null default 0 check (number between 0 and 9),
  place text check (char_length(place) <= 120),
  -- Whether everybody may watch, or only both teams and their families.
  is_public boolean not null default false,
  -- The rules, as in the info records of Retrosheet (`innings`, `usedh`, `tiebreaker`, `htbf`) and the engine's.
  innings smallint not null default 9 check (innings between 3 and 9),
  uses_dh boolean not null default false,
  reentry boolean not null default false,
  courtesy_runner boolean not null default false,
  run_rule text check (run_rule ~ '^[0-9]{1,2}/[0-9](;[0-9]{1,2}/[0-9])*$'),
  extra_runner smallint check (extra_runner between 1 and 3),
  time_limit smallint check (time_limit between 30 and 300),
  home_bats_first boolean not null default false,
  -- Further info records of an event file, as {"key": "value"}.
  info jsonb not null default '{}' check (jsonb_typeof(info) = 'object'),
  status text not null default 'scheduled' check (status in ('scheduled', 'live', 'final', 'suspended', 'cancelled')),
  -- How a final game ended, if the plays do not tell.
  ended text check (ended in ('called', 'timelimit', 'forfeit_visitor', 'forfeit_home')),
  -- The state after the last play, computed by the function score. batting: 0 for the visitors, 1 for the home team.
  visitor_runs smallint not null default 0,
  home_runs smallint not null default 0,
  inning smallint not null default 1,
  batting smallint not null default 0 check (batting in (0, 1)),
  outs smallint not null default 0 check (outs between 0 and 3),
  -- Null if the pitches are not recorded.
  balls smallint,
  strikes smallint,
  on_first uuid references public.athletes (id) on delete set null,
  on_second uuid references public.athletes (id) on delete set null,
  on_third uuid references public.athletes (id) on delete set null,
  batter_id uuid references public.athletes (id) on delete set null,
  pitcher_id uuid references public.athletes (id) on delete set null,
  -- Counts the saves, so that watchers notice a change.
  revision bigint not null default 0,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint games_external_key unique (season_id, external_id)
);
create index games_owner_team_id_idx on public.games (owner_team_id, played_on desc);
create index games_visitor_team_id_idx on public.games (visitor_team_id, played_on desc);
create index games_home_team_id_idx on public.games (home_team_id, played_on desc);
create index games_created_by_idx on public.games (created_by);
create index games_on_first_idx on public.games (on_first);
create index games_on_second_idx on public.games (on_second);
create index games_on_third_idx on public.games (on_third);
create index games_batter_id_idx on public.games (batter_id);
create index games_pitcher_id_idx on public.games (pitcher_id);
create trigger touch before update on public.games for each row execute function private.touch();

-- Everybody who may play in a game. Starters have a place in the order (0: a pitcher who does not bat; beyond 9: extra
-- hitters) and a position, 1 to 10.
create table public.lineups (
  game_id uuid not null references public.games (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  -- 0 for the visitors, 1 for the home team.
  side smallint not null check (side in (0, 1)),
  jersey text check (jersey ~ '^[0-9]{1,2}$'),
  bat_order smallint check (bat_order between 0 and 30),
  position smallint check (position between 1 and 10),
  primary key (game_id, athlete_id),
  constraint lineups_starters_are_complete check ((bat_order is null) = (position is null)),
  constraint lineups_order_key unique (game_id, side, bat_order)
);
create index lineups_athlete_id_idx on public.lineups (athlete_id);

-- The athletes that the caller, or a ward, is.
create function private.own_athletes() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select i.athlete_id from public.athlete_identities as i
  where (i.user_id = (select auth.uid()) or i.user_id in (select private.wards())) and (select private.is_own_app())
$$;
revoke all on function private.own_athletes() from public;
grant execute on function private.own_athletes() to authenticated;

-- The athletes on the rosters of the caller's teams, and the guests that these teams entered.
create function private.coached_athletes() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select r.athlete_id from public.rosters as r where r.team_id in (select private.coached_teams())
  union
  select a.id from public.athletes as a where a.owner_team_id in (select private.coached_teams())
$$;
revoke all on function private.coached_athletes() from public;
grant execute on function private.coached_athletes() to authenticated;

-- A member becomes an athlete on the team's roster, with the dates of the membership.
create function private.keep_roster() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  athlete uuid;
  today constant date := (now() at time zone 'utc')::date;
begin
  if tg_op = 'DELETE' or new.status <> 'active' or new.role <> 'player' then
    update public.rosters as r set left_on = greatest(today, r.joined_on)
    from public.athlete_identities as i
    where i.user_id = old.user_id and r.athlete_id = i.athlete_id and r.team_id = old.team_id and r.left_on is null;
    return null;
  end if;
  select i.athlete_id into athlete from public.athlete_identities as i where i.user_id = new.user_id;
  if athlete is null then
    insert into public.athletes (initial)
    select upper(left(btrim(p.full_name), 1)) from public.profiles as p where p.id = new.user_id
    returning id into athlete;
    insert into public.athlete_identities (athlete_id, user_id) values (athlete, new.user_id);
  end if;
  update public.rosters as r set jersey = new.jersey, left_on = null
  where r.team_id = new.team_id and r.athlete_id = athlete and (r.left_on is null or r.joined_on = today);
  if not found then
    insert into public.rosters (team_id, athlete_id, jersey) values (new.team_id, athlete, new.jersey);
  end if;
  return null;
end
$$;
revoke all on function private.keep_roster() from public;
create trigger keep_roster after insert on public.team_members
  for each row when (new.status = 'active' and new.role = 'player') execute function private.keep_roster();
create trigger keep_roster_changes after update of status, jersey, role or delete on public.team_members
  for each row execute function private.keep_roster();
update public.team_members set status = status where status = 'active' and role = 'player';

create function private.keep_initial() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.athletes as a set initial = upper(left(btrim(new.full_name), 1))
  from public.athlete_identities as i where i.user_id = new.id and a.id = i.athlete_id;
  return null;
end
$$;
revoke all on function private.keep_initial() from public;
create trigger keep_initial after update of full_name on public.profiles
  for each row when (old.full_name is distinct from new.full_name) execute function private.keep_initial();

-- When an account is deleted, the games keep an athlete without name, initial or roster.
create function private.forget_athlete() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.athletes set initial = '' where id = old.athlete_id;
  delete from public.rosters where athlete_id = old.athlete_id;
  return null;
end
$$;
revoke all on function private.forget_athlete() from public;
create trigger forget_athlete after delete on public.athlete_identities
  for each row when (old.user_id is not null) execute function private.forget_athlete();

-- A game on the caller's team's schedule. The opponent is a name: no other team's page shows a game that its coaches did
-- not enter.
create function public.create_game(team_id uuid, opponent text, is_home boolean, played_on date,
  starts_at timestamptz default null, is_public boolean default false, innings integer default 7,
  uses_dh boolean default false, place text default null)
returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  team public.teams;
  season uuid;
  game uuid;
begin
  perform private.require_second_factor();
  select t.* into team from public.teams as t
  where t.id = create_game.team_id and t.id in (select private.coached_teams());
  if team.id is null then
    raise exception 'You are not a coach of this team.' using errcode = '42501';
  elsif team.vetted and not private.is_verified_coach() then
    raise exception 'Only verified coaches schedule games of this team.' using errcode = '42501',
      hint = 'Players under 18 can be on it. Ask an admin, or two verified coaches, to verify you.';
  end if;
  -- One after the other, so that the count holds and one season is made.
  perform from public.teams as t where t.id = team.id for update;
  if (select count(*) from public.games as g where g.owner_team_id = team.id and g.created_at > now() - interval '1 day') >= 200 then
    raise exception 'Two hundred games a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  insert into public.seasons (league_id, team_id, year)
  values (team.league_id, case when team.league_id is null then team.id end, extract(year from create_game.played_on))
  on conflict on constraint seasons_once_key do nothing;
  select s.id into season from public.seasons as s
  where (s.league_id = team.league_id or (team.league_id is null and s.team_id = team.id))
    and s.year = extract(year from create_game.played_on) and s.name = '';
  insert into public.games (season_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on,
    starts_at, is_public, innings, uses_dh, place, created_by)
  values (season, team.id, case when not create_game.is_home then team.id end, case when create_game.is_home then team.id end,
    case when create_game.is_home then btrim(opponent) else team.name end,
    case when create_game.is_home then team.name else btrim(opponent) end,
    create_game.played_on, create_game.starts_at, create_game.is_public, create_game.innings, create_game.uses_dh,
    nullif(btrim(create_game.place), ''), uid)
  returning id into game;
  return game;
end
$$;
revoke all on function public.create_game(uuid, text, boolean, date, timestamptz, boolean, integer, boolean, text)
  from public, anon, authenticated;
grant execute on function public.create_game(uuid, text, boolean, date, timestamptz, boolean, integer, boolean, text)
  to authenticated;

alter table public.seasons enable row level security;
create policy "everybody reads those of leagues and teams they see" on public.seasons
  for select to anon, authenticated
  using (
    exists (select from public.leagues as l where l.id = league_id)
    or exists (select from public.teams as t where t.id = team_id)
  );

-- A game is seen by both teams and their families, and by everybody if it is public. A game whose team the reader may not
-- see stays hidden: its names are text by a coach who is not verified.
alter table public.games enable row level security;
create policy "visitors read public games" on public.games
  for select to anon
  using (is_public and (owner_team_id is null or exists (select from public.teams as t where t.id = owner_team_id)));
create policy "users read public games, and their teams'" on public.games
  for select to authenticated
  using (
    (
      (
        is_public
        or visitor_team_id in (select private.own_teams())
        or home_team_id in (select private.own_teams())
      )
      and (owner_team_id is null or exists (select from public.teams as t where t.id = owner_team_id))
    )
    or owner_team_id in (select private.coached_teams())
    or (select private.is_admin())
  );
create policy "coaches update" on public.games
  for update to authenticated using (owner_team_id in (select private.coached_teams()));
create policy "coaches delete what is only scheduled" on public.games
  for delete to authenticated
  using (owner_team_id in (select private.coached_teams()) and status in ('scheduled', 'cancelled'));

alter table public.lineups enable row level security;
create policy "everybody reads those of games they see" on public.lineups
  for select to anon, authenticated
  using (exists (select from public.games as g where g.id = game_id));

alter table public.athletes enable row level security;
create policy "visitors read those of games they see" on public.athletes
  for select to anon
  using (is_public or exists (select from public.lineups as l where l.athlete_id = id));
create policy "users read those of games they see, and theirs" on public.athletes
  for select to authenticated
  using (
    is_public
    or id in (select private.own_athletes())
    or id in (select private.coached_athletes())
    or exists (select from public.lineups as l where l.athlete_id = id)
  );

-- Names follow the profile of the player; guests' names are read by the coaches who entered them.
alter table public.athlete_identities enable row level security;
create policy "visitors read whom they may see" on public.athlete_identities
  for select to anon
  using (
    exists (select from public.profiles as p where p.id = user_id)
    or (user_id is null and exists (select from public.athletes as a where a.id = athlete_id and a.is_public))
  );
create policy "users read whom they may see, and their guests" on public.athlete_identities
  for select to authenticated
  using (
    exists (select from public.profiles as p where p.id = user_id)
    or (user_id is null and (
      athlete_id in (select private.coached_athletes())
      or exists (select from public.athletes as a where a.id = athlete_id and a.is_public)))
  );

alter table public.rosters enable row level security;
create policy "everybody reads those of athletes they see" on public.rosters
  for select to anon, authenticated
  using (exists (select from public.athletes as a where a.id = athlete_id));

do $policies$
declare
  about text;
begin
  foreach about in array array['seasons', 'games', 'lineups', 'athletes', 'athlete_identities', 'rosters'] loop
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
grant select on table public.seasons, public.games, public.lineups, public.athlete_identities, public.rosters
  to anon, authenticated;
grant select (id, initial, is_public) on table public.athletes to anon, authenticated;
grant update (played_on, starts_at, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit),
  delete on table public.games to authenticated;

alter publication supabase_realtime add table public.games;

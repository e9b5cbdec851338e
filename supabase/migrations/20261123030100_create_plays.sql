-- Plays, and what is computed from them. Only the functions of 20261123030200 write here, and imports.

-- The log of a game: a row is never changed or deleted, except by its derived columns. A row adds a record, replaces
-- one (`replaces`), or removes one (`replaces` without a record).
create table public.plays (
  game_id uuid not null references public.games (id) on delete cascade,
  -- Made by the scorer's device, so that a play whose answer was lost is not entered twice.
  id uuid not null,
  -- The order of arrival, from 1.
  seq integer not null check (seq > 0),
  -- One line in Retrosheet's notation (play, sub, badj, padj, ladj, radj or presadj), with athletes' ids and no names.
  record text check (char_length(record) >= 1 and char_length(record) <= 4000 and record !~ '[\r\n"]' or record ~ '^sub,[^"\r\n]*,"",[^"\r\n]*$'),
  replaces uuid,
  -- For a new record in the middle: the play before it.
  after uuid,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Derived. The place in the game, from 1; null for what was replaced or removed, and for removals.
  ord integer check (ord > 0),
  -- Derived by the replay, for records of the kind play: {"inning", "batting", "batter", "pitcher", "turn", "outsBefore",
  -- "outs", "bases", "score", "moves", "credits"}.
  outcome jsonb,
  primary key (game_id, id),
  constraint plays_seq_key unique (game_id, seq),
  constraint plays_replaces_fkey foreign key (game_id, replaces) references public.plays (game_id, id) deferrable initially deferred,
  constraint plays_after_fkey foreign key (game_id, after) references public.plays (game_id, id) deferrable initially deferred,
  constraint plays_remove_something check (record is not null or replaces is not null)
);
create index plays_ord_idx on public.plays (game_id, ord) where ord is not null;
create index plays_replaces_idx on public.plays (game_id, replaces);
create index plays_after_idx on public.plays (game_id, after);
create index plays_created_by_idx on public.plays (created_by);

create function private.keep_plays() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if (new.game_id, new.id, new.seq, new.record, new.replaces, new.after, new.created_at)
    is distinct from (old.game_id, old.id, old.seq, old.record, old.replaces, old.after, old.created_at)
  then
    raise exception 'Plays are only added.' using errcode = '42501', hint = 'Add a play that replaces this one.';
  end if;
  return new;
end
$$;
revoke all on function private.keep_plays() from public;
create trigger keep_plays before update on public.plays for each row execute function private.keep_plays();

-- Derived from the pitches in the plays: one row per letter of Retrosheet's pitch sequence that is a pitch.
create table public.pitches (
  game_id uuid not null,
  play_id uuid not null,
  -- From 1 within the play.
  number smallint not null check (number > 0),
  call text not null check (call ~ '^[A-Z]$'),
  velocity_mph numeric(4, 1) check (velocity_mph between 20 and 120),
  kind text check (char_length(kind) between 1 and 20),
  primary key (game_id, play_id, number),
  foreign key (game_id, play_id) references public.plays (game_id, id) on delete cascade
);

-- Who enters plays now. A device that is silent for two minutes loses the lock to the next one.
create table private.scorer_locks (
  game_id uuid primary key references public.games (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  device uuid not null,
  taken_at timestamptz not null default now(),
  renewed_at timestamptz not null default now()
);
create index scorer_locks_user_id_idx on private.scorer_locks (user_id);

create table public.line_scores (
  game_id uuid not null references public.games (id) on delete cascade,
  side smallint not null check (side in (0, 1)),
  -- Runs by inning; null for a half-inning that was not played.
  innings smallint[] not null,
  runs smallint not null,
  hits smallint not null,
  errors smallint not null,
  left_on_base smallint not null,
  primary key (game_id, side)
);

-- The lines of one athlete in one game. Names as in Lahman's tables, except that doubles and triples are spelled out;
-- `more` holds the engine's further counters by their names in crates/sabermetrics/src/stats/counter.rs.
create table public.player_game_batting (
  game_id uuid not null references public.games (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  side smallint not null check (side in (0, 1)),
  bat_order smallint,
  -- The positions played, in order: "SS-P".
  positions text not null default '',
  pa smallint not null default 0,
  ab smallint not null default 0,
  r smallint not null default 0,
  h smallint not null default 0,
  doubles smallint not null default 0,
  triples smallint not null default 0,
  hr smallint not null default 0,
  rbi smallint not null default 0,
  sb smallint not null default 0,
  cs smallint not null default 0,
  bb smallint not null default 0,
  so smallint not null default 0,
  ibb smallint not null default 0,
  hbp smallint not null default 0,
  sh smallint not null default 0,
  sf smallint not null default 0,
  gidp smallint not null default 0,
  more jsonb not null default '{}',
  primary key (game_id, athlete_id)
);
create index player_game_batting_athlete_id_idx on public.player_game_batting (athlete_id);

create table public.player_game_pitching (
  game_id uuid not null references public.games (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  side smallint not null check (side in (0, 1)),
  -- The order in which the team's pitchers came in, from 1.
  number smallint not null,
  w smallint not null default 0,
  l smallint not null default 0,
  sv smallint not null default 0,
  hld smallint not null default 0,
  bs smallint not null default 0,
  gs smallint not null default 0,
  cg smallint not null default 0,
  sho smallint not null default 0,
  outs smallint not null default 0,
  bfp smallint not null default 0,
  h smallint not null default 0,
  r smallint not null default 0,
  er smallint not null default 0,
  hr smallint not null default 0,
  bb smallint not null default 0,
  so smallint not null default 0,
  ibb smallint not null default 0,
  wp smallint not null default 0,
  hbp smallint not null default 0,
  bk smallint not null default 0,
  -- Null if the pitches were not recorded.
  pitches smallint,
  strikes smallint,
  more jsonb not null default '{}',
  primary key (game_id, athlete_id)
);
create index player_game_pitching_athlete_id_idx on public.player_game_pitching (athlete_id);

create table public.player_game_fielding (
  game_id uuid not null references public.games (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  side smallint not null check (side in (0, 1)),
  position smallint not null check (position between 1 and 9),
  gs smallint not null default 0,
  outs smallint not null default 0,
  po smallint not null default 0,
  a smallint not null default 0,
  e smallint not null default 0,
  dp smallint not null default 0,
  pb smallint not null default 0,
  wp smallint not null default 0,
  sb smallint not null default 0,
  cs smallint not null default 0,
  primary key (game_id, athlete_id, position)
);
create index player_game_fielding_athlete_id_idx on public.player_game_fielding (athlete_id);

-- Season lines: sums of the public, final games, or an archive's own totals. One row per season, team and stint.
create table public.player_season_batting (
  season_id uuid not null references public.seasons (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  team_id uuid references public.teams (id) on delete cascade,
  stint smallint not null default 1,
  g integer not null default 0,
  pa integer not null default 0,
  ab integer not null default 0,
  r integer not null default 0,
  h integer not null default 0,
  doubles integer not null default 0,
  triples integer not null default 0,
  hr integer not null default 0,
  rbi integer not null default 0,
  sb integer not null default 0,
  cs integer not null default 0,
  bb integer not null default 0,
  so integer not null default 0,
  ibb integer not null default 0,
  hbp integer not null default 0,
  sh integer not null default 0,
  sf integer not null default 0,
  gidp integer not null default 0,
  -- Counts that an archive does not have, by column name; for them 0 means unknown.
  unknown text[] not null default '{}',
  constraint player_season_batting_key unique nulls not distinct (season_id, athlete_id, team_id, stint)
);
create index player_season_batting_athlete_id_idx on public.player_season_batting (athlete_id);
create index player_season_batting_team_id_idx on public.player_season_batting (team_id);

create table public.player_season_pitching (
  season_id uuid not null references public.seasons (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  team_id uuid references public.teams (id) on delete cascade,
  stint smallint not null default 1,
  g integer not null default 0,
  gs integer not null default 0,
  w integer not null default 0,
  l integer not null default 0,
  sv integer not null default 0,
  hld integer not null default 0,
  bs integer not null default 0,
  cg integer not null default 0,
  sho integer not null default 0,
  outs integer not null default 0,
  bfp integer not null default 0,
  h integer not null default 0,
  r integer not null default 0,
  er integer not null default 0,
  hr integer not null default 0,
  bb integer not null default 0,
  so integer not null default 0,
  ibb integer not null default 0,
  wp integer not null default 0,
  hbp integer not null default 0,
  bk integer not null default 0,
  unknown text[] not null default '{}',
  constraint player_season_pitching_key unique nulls not distinct (season_id, athlete_id, team_id, stint)
);
create index player_season_pitching_athlete_id_idx on public.player_season_pitching (athlete_id);
create index player_season_pitching_team_id_idx on public.player_season_pitching (team_id);

create table public.player_season_fielding (
  season_id uuid not null references public.seasons (id) on delete cascade,
  athlete_id uuid not null references public.athletes (id) on delete cascade,
  team_id uuid references public.teams (id) on delete cascade,
  stint smallint not null default 1,
  -- 1 to 9; 10 for Lahman's OF, which is all three outfield positions together.
  position smallint not null check (position between 1 and 10),
  g integer not null default 0,
  gs integer not null default 0,
  outs integer not null default 0,
  po integer not null default 0,
  a integer not null default 0,
  e integer not null default 0,
  dp integer not null default 0,
  pb integer not null default 0,
  wp integer not null default 0,
  sb integer not null default 0,
  cs integer not null default 0,
  unknown text[] not null default '{}',
  constraint player_season_fielding_key unique nulls not distinct (season_id, athlete_id, team_id, stint, position)
);
create index player_season_fielding_athlete_id_idx on public.player_season_fielding (athlete_id);
create index player_season_fielding_team_id_idx on public.player_season_fielding (team_id);

do $policies$
declare
  about text;
begin
  foreach about in array array['plays', 'pitches', 'line_scores', 'player_game_batting', 'player_game_pitching',
    'player_game_fielding', 'player_season_batting', 'player_season_pitching', 'player_season_fielding']
  loop
    execute format($sql$
      alter table public.%1$I enable row level security;
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      create policy "only the app itself" on public.%1$I
        as restrictive for all to authenticated
        using ((select private.is_own_app())) with check ((select private.is_own_app()));
      revoke all on table public.%1$I from anon, authenticated;
      grant select on table public.%1$I to anon, authenticated;
    $sql$, about);
    if about in ('plays', 'pitches', 'line_scores') then
      execute format($sql$
        create policy "everybody reads those of games they see" on public.%1$I
          for select to anon, authenticated
          using (exists (select from public.games as g where g.id = game_id));
      $sql$, about);
    elsif about like 'player_game_%' then
      execute format($sql$
        create policy "visitors read those of games they see" on public.%1$I
          for select to anon using (exists (select from public.games as g where g.id = game_id));
        create policy "users read those of games they see, and their own" on public.%1$I
          for select to authenticated
          using (
            athlete_id in (select private.own_athletes())
            or exists (select from public.games as g where g.id = game_id)
          );
      $sql$, about);
    else
      execute format($sql$
        create policy "everybody reads those of seasons they see" on public.%1$I
          for select to anon, authenticated
          using (exists (select from public.seasons as s where s.id = season_id));
      $sql$, about);
    end if;
  end loop;
end
$policies$;

-- Who wrote a play is the team's own matter.
revoke select on table public.plays from anon, authenticated;
grant select (game_id, id, seq, record, replaces, after, created_at, ord, outcome) on table public.plays to anon, authenticated;

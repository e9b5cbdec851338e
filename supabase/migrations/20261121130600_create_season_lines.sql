-- Seasons as players enter them (source is always self), video links, commitments. The database computes the rates, so
-- that they always match the line. A rate with a zero denominator is null.

create table public.batting_lines (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  season integer not null check (season between 1950 and 2100),
  team_name text not null default '' check (char_length(team_name) <= 100),
  league_name text not null default '' check (char_length(league_name) <= 100),
  g integer not null default 0 check (g between 0 and 250),
  pa integer not null default 0 check (pa between 0 and 1500),
  ab integer not null default 0 check (ab >= 0),
  r integer not null default 0 check (r between 0 and 500),
  h integer not null default 0 check (h >= 0),
  doubles integer not null default 0 check (doubles >= 0),
  triples integer not null default 0 check (triples >= 0),
  hr integer not null default 0 check (hr >= 0),
  rbi integer not null default 0 check (rbi between 0 and 500),
  bb integer not null default 0 check (bb >= 0),
  so integer not null default 0 check (so >= 0),
  hbp integer not null default 0 check (hbp >= 0),
  sf integer not null default 0 check (sf >= 0),
  sh integer not null default 0 check (sh >= 0),
  sb integer not null default 0 check (sb between 0 and 500),
  cs integer not null default 0 check (cs between 0 and 500),
  avg numeric generated always as (round(h::numeric / nullif(ab, 0), 3)) stored,
  obp numeric generated always as (round((h + bb + hbp)::numeric / nullif(ab + bb + hbp + sf, 0), 3)) stored,
  slg numeric generated always as (round((h + doubles + 2 * triples + 3 * hr)::numeric / nullif(ab, 0), 3)) stored,
  ops numeric generated always as (
    round((h + bb + hbp)::numeric / nullif(ab + bb + hbp + sf, 0)
      + (h + doubles + 2 * triples + 3 * hr)::numeric / nullif(ab, 0), 3)) stored,
  created_at timestamptz not null default now(),
  constraint batting_lines_once_key unique (player_id, season, team_name, league_name),
  constraint batting_lines_hits_are_at_bats check (h + so <= ab),
  constraint batting_lines_extra_bases_are_hits check (doubles + triples + hr <= h),
  constraint batting_lines_plate_appearances_add_up check (ab + bb + hbp + sf + sh <= pa)
);

create table public.pitching_lines (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  season integer not null check (season between 1950 and 2100),
  team_name text not null default '' check (char_length(team_name) <= 100),
  league_name text not null default '' check (char_length(league_name) <= 100),
  g integer not null default 0 check (g between 0 and 250),
  gs integer not null default 0 check (gs >= 0),
  w integer not null default 0 check (w >= 0),
  l integer not null default 0 check (l >= 0),
  sv integer not null default 0 check (sv >= 0),
  -- Innings are outs / 3.
  outs integer not null default 0 check (outs between 0 and 2000),
  h integer not null default 0 check (h between 0 and 1000),
  r integer not null default 0 check (r between 0 and 1000),
  er integer not null default 0 check (er >= 0),
  hr integer not null default 0 check (hr >= 0),
  bb integer not null default 0 check (bb between 0 and 1000),
  so integer not null default 0 check (so between 0 and 2500),
  hbp integer not null default 0 check (hbp between 0 and 300),
  era numeric generated always as (round(27 * er::numeric / nullif(outs, 0), 2)) stored,
  whip numeric generated always as (round(3 * (bb + h)::numeric / nullif(outs, 0), 2)) stored,
  k9 numeric generated always as (round(27 * so::numeric / nullif(outs, 0), 1)) stored,
  bb9 numeric generated always as (round(27 * bb::numeric / nullif(outs, 0), 1)) stored,
  created_at timestamptz not null default now(),
  constraint pitching_lines_once_key unique (player_id, season, team_name, league_name),
  constraint pitching_lines_starts_are_games check (gs <= g),
  constraint pitching_lines_decisions_are_games check (w + l + sv <= g),
  constraint pitching_lines_earned_runs_are_runs check (er <= r),
  constraint pitching_lines_home_runs_are_hits check (hr <= h)
);

create table public.videos (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  title text not null check (char_length(btrim(title)) between 1 and 120),
  -- A link to a video elsewhere, which the page shows as a link. Only https, so that it cannot be a script.
  url text not null check (url ~ '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[^[:space:]<>"]*)?$' and char_length(url) <= 500),
  recorded_on date check (recorded_on between '1950-01-01' and '2100-12-31'),
  created_at timestamptz not null default now()
);
create index videos_player_id_idx on public.videos (player_id, created_at desc);

create table public.commitments (
  id uuid primary key default gen_random_uuid(),
  player_id uuid not null references public.players (user_id) on delete cascade,
  program text not null check (char_length(btrim(program)) between 2 and 120),
  status text not null default 'committed' check (status in ('committed', 'signed', 'withdrawn')),
  committed_on date not null default (now() at time zone 'utc')::date
    check (committed_on between '1950-01-01' and '2100-12-31'),
  created_at timestamptz not null default now()
);
create index commitments_player_id_idx on public.commitments (player_id, committed_on desc);
-- One at a time.
create unique index commitments_standing_key on public.commitments (player_id) where status <> 'withdrawn';

do $policies$
declare
  about text;
begin
  foreach about in array array['batting_lines', 'pitching_lines', 'videos', 'commitments'] loop
    execute format($sql$
      alter table public.%1$I enable row level security;
      create policy "everybody reads those of whom they may see" on public.%1$I
        for select to anon, authenticated
        using (exists (select from public.profiles as p where p.id = player_id));
      create policy "owners and guardians insert" on public.%1$I
        for insert to authenticated
        with check (
          (player_id = (select auth.uid()) and (select private.may_publish()))
          or player_id in (select private.active_wards())
        );
      create policy "owners and guardians update" on public.%1$I
        for update to authenticated
        using (
          (player_id = (select auth.uid()) and (select private.may_publish()))
          or player_id in (select private.active_wards())
        );
      create policy "owners and guardians delete" on public.%1$I
        for delete to authenticated
        using (player_id = (select auth.uid()) or player_id in (select private.active_wards()));
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      revoke all on table public.%1$I from anon, authenticated;
      grant select on table public.%1$I to anon, authenticated;
      grant delete on table public.%1$I to authenticated;
    $sql$, about);
  end loop;
end
$policies$;

grant insert (id, player_id, season, team_name, league_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so, hbp, sf, sh, sb, cs),
  update (season, team_name, league_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so, hbp, sf, sh, sb, cs)
  on table public.batting_lines to authenticated;
grant insert (id, player_id, season, team_name, league_name, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp),
  update (season, team_name, league_name, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp)
  on table public.pitching_lines to authenticated;
grant insert (id, player_id, title, url, recorded_on), update (title, url, recorded_on) on table public.videos to authenticated;
grant insert (id, player_id, program, status, committed_on), update (program, status, committed_on)
  on table public.commitments to authenticated;

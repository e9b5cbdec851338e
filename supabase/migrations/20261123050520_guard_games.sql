-- Who changes games, what of them changes, and which of their text and rows strangers read.

-- The teams that the caller schedules and scores games for. Children see what is written about the games of a vetted team, so
-- that takes a verified coach.
create function private.scoring_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select t.id from public.teams as t
  where t.id in (select private.coached_teams()) and (not t.vetted or private.is_verified_coach())
$$;
revoke all on function private.scoring_teams() from public;
grant execute on function private.scoring_teams() to authenticated;

alter policy "coaches update" on public.games using (owner_team_id in (select private.scoring_teams()));
alter policy "coaches delete what is only scheduled" on public.games
  using (owner_team_id in (select private.scoring_teams()) and status in ('scheduled', 'cancelled'));

-- The athletes on the rosters of these teams, and the guests that the teams entered.
create or replace function private.coached_athletes() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select r.athlete_id from public.rosters as r where r.team_id in (select private.scoring_teams())
  union
  select a.id from public.athletes as a where a.owner_team_id in (select private.scoring_teams())
$$;

-- A stint is read by those who see a game of the athlete, who that is, and the team. One public lineup does not show the
-- athlete's other teams, nor that of a child.
drop policy "everybody reads those of athletes they see" on public.rosters;
create policy "visitors read those of players and teams they see" on public.rosters
  for select to anon
  using (
    exists (select from public.teams as t where t.id = team_id)
    and exists (select from public.athletes as a where a.id = athlete_id)
    and exists (select from public.athlete_identities as i where i.athlete_id = rosters.athlete_id)
  );
create policy "users read those of players and teams they see, and theirs" on public.rosters
  for select to authenticated
  using (
    (
      exists (select from public.teams as t where t.id = team_id)
      and exists (select from public.athletes as a where a.id = athlete_id)
      and exists (select from public.athlete_identities as i where i.athlete_id = rosters.athlete_id)
    )
    or athlete_id in (select private.own_athletes())
    or team_id in (select private.scoring_teams())
  );

-- Who wrote the place last.
alter table public.games add column place_by uuid references public.profiles (id) on delete set null;
create index games_place_by_idx on public.games (place_by);
update public.games set place_by = created_by where place is not null;

create function private.note_place() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.place_by := auth.uid();
  return new;
end
$$;
revoke all on function private.note_place() from public;
create trigger note_place before insert on public.games
  for each row when (new.place is not null) execute function private.note_place();
create trigger note_new_place before update of place on public.games
  for each row when (new.place is distinct from old.place) execute function private.note_place();

-- Who wrote these is the team's own matter.
revoke select on table public.games from anon, authenticated;
grant select (id, season_id, external_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on,
  starts_at, number, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit,
  home_bats_first, info, status, ended, visitor_runs, home_runs, inning, batting, outs, balls, strikes, on_first, on_second,
  on_third, batter_id, pitcher_id, revision, created_at, updated_at) on table public.games to anon, authenticated;

-- When a team becomes vetted, children see its games and logo. What coaches who are not verified wrote until then goes.
create function private.drop_unvetted() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.games as g
  set visitor_name = case when g.visitor_team_id = new.id then new.name else 'Visitors' end,
    home_name = case when g.home_team_id = new.id then new.name else 'Home' end
  where g.owner_team_id = new.id and (g.created_by is null or not private.coach_is_verified(g.created_by));
  update public.games as g set place = null
  where g.owner_team_id = new.id and g.place is not null and (g.place_by is null or not private.coach_is_verified(g.place_by));
  update public.teams as t set logo = null
  where t.id = new.id and exists (
    select from storage.objects as o
    where o.bucket_id = 'team-logos' and o.name = t.logo and o.owner_id is not null and not exists (
      select from public.coaches as c where c.user_id::text = o.owner_id and private.coach_is_verified(c.user_id)));
  return null;
end
$$;
revoke all on function private.drop_unvetted() from public;
create trigger drop_unvetted after update on public.teams
  for each row when (new.vetted and not old.vetted) execute function private.drop_unvetted();

-- The plays of a game were replayed with its rules, and its season by its date. Neither changes once it has begun.
create function private.keep_rules() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if (new.played_on, new.innings, new.uses_dh, new.reentry, new.courtesy_runner, new.run_rule, new.extra_runner, new.time_limit)
    is distinct from
    (old.played_on, old.innings, old.uses_dh, old.reentry, old.courtesy_runner, old.run_rule, old.extra_runner, old.time_limit)
  then
    raise exception 'This game has begun: its date and its rules stay.' using errcode = 'PT409',
      hint = 'Schedule another game for other rules.';
  end if;
  return new;
end
$$;
revoke all on function private.keep_rules() from public;
create trigger keep_rules
  before update of played_on, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit on public.games
  for each row when (old.status <> 'scheduled' and auth.uid() is not null) execute function private.keep_rules();

-- Season lines also follow a final game that becomes public or private, or that an operator puts into another season.
create or replace function private.keep_season() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.sum_season(s.id, new.owner_team_id)
  from public.seasons as s where s.id in (old.season_id, new.season_id) order by s.id;
  return null;
end
$$;
drop trigger keep_season on public.games;
create trigger keep_season after update of is_public, season_id on public.games
  for each row when (
    (old.is_public, old.season_id) is distinct from (new.is_public, new.season_id) and new.status = 'final')
  execute function private.keep_season();

-- Who may stand in a lineup, how long guests are kept, and one writer at a time for the lines of a season.

-- Deletes the guests of a team whom no lineup names any more: with them goes the name that the coach entered. Those who save
-- lineups of the team wait for one another, so that nobody deletes a guest whom another lineup is about to name.
create function private.forget_guests(team uuid) returns void
language sql security definer
set search_path = ''
as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('guests ', team), 0));
  delete from public.athletes as a
  where a.owner_team_id = team and not exists (select from public.lineups as l where l.athlete_id = a.id);
$$;
revoke all on function private.forget_guests(uuid) from public;

create function private.forget_guests_of_game() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.forget_guests(old.owner_team_id);
  return null;
end
$$;
revoke all on function private.forget_guests_of_game() from public;
-- Its name sorts behind those of the foreign keys' triggers, which delete the lineups.
create trigger forget_guests after delete on public.games
  for each row when (old.owner_team_id is not null) execute function private.forget_guests_of_game();

-- Replaces the lineups of a game. An unknown athlete with a name becomes a guest of the team. Players who left the team before
-- the day of the game are refused, unless they are in it already and it has begun: its plays name them, even after their account
-- was deleted.
create or replace function private.save_lineups(scored public.games, entries jsonb) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('guests ', scored.owner_team_id), 0));
  insert into public.athletes (id, initial, owner_team_id)
  -- A guest known only by the number has no initial.
  select e.athlete, case when e.full_name ~ '^No\. [0-9]+$' then '' else upper(left(e.full_name, 1)) end, scored.owner_team_id
  from private.lineup_entries(entries) as e where e.full_name is not null
  on conflict (id) do nothing;
  insert into public.athlete_identities (athlete_id, full_name)
  select a.id, e.full_name
  from private.lineup_entries(entries) as e join public.athletes as a on a.id = e.athlete
  where a.owner_team_id = scored.owner_team_id and e.full_name is not null
  on conflict (athlete_id) do update set full_name = excluded.full_name
  where athlete_identities.user_id is null;
  if exists (
    select from private.lineup_entries(entries) as e
    where not exists (select from public.athletes as a where a.id = e.athlete and a.owner_team_id = scored.owner_team_id)
      and not exists (
        select from public.rosters as r
        where r.athlete_id = e.athlete and r.team_id = scored.owner_team_id
          and (r.left_on is null or r.left_on >= scored.played_on))
      and not (scored.status <> 'scheduled' and exists (
        select from public.lineups as l where l.game_id = scored.id and l.athlete_id = e.athlete)))
  then
    raise exception 'A player of the lineup is neither on your roster nor named.' using errcode = 'PT400';
  end if;
  delete from public.lineups as l where l.game_id = scored.id;
  insert into public.lineups (game_id, athlete_id, side, jersey, bat_order, position)
  select scored.id, e.athlete, e.side, e.jersey, e.bat_order, e.field_position from private.lineup_entries(entries) as e;
  perform private.forget_guests(scored.owner_team_id);
end
$$;

-- Removes a player who leaves the team or deletes the account from the lineups saved for later games.
create function private.leave_lineups() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from public.lineups as l using public.games as g
  where g.id = l.game_id and l.athlete_id = old.athlete_id and g.owner_team_id = old.team_id and g.status = 'scheduled'
    and (tg_op = 'DELETE' or g.played_on > new.left_on);
  return null;
end
$$;
revoke all on function private.leave_lineups() from public;
create trigger leave_lineups after update of left_on on public.rosters
  for each row when (new.left_on is not null) execute function private.leave_lineups();
create trigger leave_lineups_with_roster after delete on public.rosters
  for each row execute function private.leave_lineups();

-- As in 20261123030200, one after the other: two games of a season may end at the same time.
create or replace function private.sum_season(season uuid, team uuid) returns void
language sql
set search_path = ''
as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('season ', season, ' ', team), 0));
  delete from public.player_season_batting as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_pitching as s where s.season_id = season and s.team_id = team;
  delete from public.player_season_fielding as s where s.season_id = season and s.team_id = team;
  insert into public.player_season_batting (season_id, athlete_id, team_id, g, pa, ab, r, h, doubles, triples, hr, rbi, sb, cs,
    bb, so, ibb, hbp, sh, sf, gidp)
  select season, l.athlete_id, team, count(*), sum(pa), sum(ab), sum(r), sum(h), sum(doubles), sum(triples), sum(hr), sum(rbi),
    sum(sb), sum(cs), sum(bb), sum(so), sum(ibb), sum(hbp), sum(sh), sum(sf), sum(gidp)
  from public.player_game_batting as l
  join public.games as g on g.id = l.game_id and team = case l.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by l.athlete_id;
  insert into public.player_season_pitching (season_id, athlete_id, team_id, g, gs, w, l, sv, hld, bs, cg, sho, outs, bfp, h, r,
    er, hr, bb, so, ibb, wp, hbp, bk)
  select season, p.athlete_id, team, count(*), sum(gs), sum(w), sum(p.l), sum(sv), sum(hld), sum(bs), sum(cg), sum(sho), sum(p.outs),
    sum(bfp), sum(h), sum(r), sum(er), sum(hr), sum(bb), sum(so), sum(ibb), sum(wp), sum(hbp), sum(bk)
  from public.player_game_pitching as p
  join public.games as g on g.id = p.game_id and team = case p.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by p.athlete_id;
  insert into public.player_season_fielding (season_id, athlete_id, team_id, position, g, gs, outs, po, a, e, dp, pb, wp, sb, cs)
  select season, f.athlete_id, team, f.position, count(*), sum(gs), sum(f.outs), sum(po), sum(f.a), sum(e), sum(dp), sum(pb),
    sum(wp), sum(sb), sum(cs)
  from public.player_game_fielding as f
  join public.games as g on g.id = f.game_id and team = case f.side when 0 then g.visitor_team_id else g.home_team_id end
  where g.season_id = season and g.status = 'final' and g.is_public
  group by f.athlete_id, f.position;
$$;

-- Guests of games that were deleted before this.
select private.forget_guests(t.id) from public.teams as t
where exists (select from public.athletes as a where a.owner_team_id = t.id);

insert into public.player_season_fielding as line (
  season_id, athlete_id, team_id, stint, position, g, gs, outs, po, a, e, dp, pb, wp, sb, cs, unknown)
select
  given.season_id, given.athlete_id, given.team_id, given.stint, given.position, given.g, given.gs, given.outs, given.po, given.a, given.e,
  given.dp, given.pb, given.wp, given.sb, given.cs, given.unknown
from jsonb_populate_recordset(null::public.player_season_fielding, $1) as given
on conflict on constraint player_season_fielding_key do update set
  g = excluded.g, gs = excluded.gs, outs = excluded.outs, po = excluded.po, a = excluded.a, e = excluded.e,
  dp = excluded.dp, pb = excluded.pb, wp = excluded.wp, sb = excluded.sb, cs = excluded.cs, unknown = excluded.unknown
where (
  line.g, line.gs, line.outs, line.po, line.a, line.e, line.dp, line.pb, line.wp, line.sb, line.cs, line.unknown)
  is distinct from (
  excluded.g, excluded.gs, excluded.outs, excluded.po, excluded.a, excluded.e, excluded.dp, excluded.pb, excluded.wp,
  excluded.sb, excluded.cs, excluded.unknown)
returning xmax = 0 as is_new

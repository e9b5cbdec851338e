insert into public.player_season_batting as line (
  season_id, athlete_id, team_id, stint, g, pa, ab, r, h, doubles, triples, hr, rbi, sb, cs, bb, so, ibb, hbp, sh,
  sf, gidp, unknown)
select
  given.season_id, given.athlete_id, given.team_id, given.stint, given.g, given.pa, given.ab, given.r, given.h, given.doubles,
  given.triples, given.hr, given.rbi, given.sb, given.cs, given.bb, given.so, given.ibb, given.hbp, given.sh, given.sf, given.gidp,
  given.unknown
from jsonb_populate_recordset(null::public.player_season_batting, $1) as given
on conflict on constraint player_season_batting_key do update set
  g = excluded.g, pa = excluded.pa, ab = excluded.ab, r = excluded.r, h = excluded.h, doubles = excluded.doubles,
  triples = excluded.triples, hr = excluded.hr, rbi = excluded.rbi, sb = excluded.sb, cs = excluded.cs,
  bb = excluded.bb, so = excluded.so, ibb = excluded.ibb, hbp = excluded.hbp, sh = excluded.sh, sf = excluded.sf,
  gidp = excluded.gidp, unknown = excluded.unknown
where (
  line.g, line.pa, line.ab, line.r, line.h, line.doubles, line.triples, line.hr, line.rbi, line.sb, line.cs, line.bb,
  line.so, line.ibb, line.hbp, line.sh, line.sf, line.gidp, line.unknown)
  is distinct from (
  excluded.g, excluded.pa, excluded.ab, excluded.r, excluded.h, excluded.doubles, excluded.triples, excluded.hr,
  excluded.rbi, excluded.sb, excluded.cs, excluded.bb, excluded.so, excluded.ibb, excluded.hbp, excluded.sh,
  excluded.sf, excluded.gidp, excluded.unknown)
returning xmax = 0 as is_new

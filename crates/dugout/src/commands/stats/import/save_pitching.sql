insert into public.player_season_pitching as line (
  season_id, athlete_id, team_id, stint, g, gs, w, l, sv, hld, bs, cg, sho, outs, bfp, h, r, er, hr, bb, so, ibb, wp,
  hbp, bk, unknown)
select
  given.season_id, given.athlete_id, given.team_id, given.stint, given.g, given.gs, given.w, given.l, given.sv, given.hld, given.bs,
  given.cg, given.sho, given.outs, given.bfp, given.h, given.r, given.er, given.hr, given.bb, given.so, given.ibb, given.wp, given.hbp, given.bk,
  given.unknown
from jsonb_populate_recordset(null::public.player_season_pitching, $1) as given
on conflict on constraint player_season_pitching_key do update set
  g = excluded.g, gs = excluded.gs, w = excluded.w, l = excluded.l, sv = excluded.sv, hld = excluded.hld,
  bs = excluded.bs, cg = excluded.cg, sho = excluded.sho, outs = excluded.outs, bfp = excluded.bfp, h = excluded.h,
  r = excluded.r, er = excluded.er, hr = excluded.hr, bb = excluded.bb, so = excluded.so, ibb = excluded.ibb,
  wp = excluded.wp, hbp = excluded.hbp, bk = excluded.bk, unknown = excluded.unknown
where (
  line.g, line.gs, line.w, line.l, line.sv, line.hld, line.bs, line.cg, line.sho, line.outs, line.bfp, line.h,
  line.r, line.er, line.hr, line.bb, line.so, line.ibb, line.wp, line.hbp, line.bk, line.unknown)
  is distinct from (
  excluded.g, excluded.gs, excluded.w, excluded.l, excluded.sv, excluded.hld, excluded.bs, excluded.cg, excluded.sho,
  excluded.outs, excluded.bfp, excluded.h, excluded.r, excluded.er, excluded.hr, excluded.bb, excluded.so,
  excluded.ibb, excluded.wp, excluded.hbp, excluded.bk, excluded.unknown)
returning xmax = 0 as is_new

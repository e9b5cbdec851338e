select coalesce(jsonb_agg(line), '[]')
from (
  select to_jsonb(b) || '{"table": "batting"}' from public.player_season_batting as b
  where b.season_id = ($1::text)::uuid and b.team_id = ($2::text)::uuid
  union all
  select to_jsonb(p) || '{"table": "pitching"}' from public.player_season_pitching as p
  where p.season_id = ($1::text)::uuid and p.team_id = ($2::text)::uuid
  union all
  select to_jsonb(f) || '{"table": "fielding"}' from public.player_season_fielding as f
  where f.season_id = ($1::text)::uuid and f.team_id = ($2::text)::uuid
) as lines (line)

-- Rankings, the leaderboard, the schedule and roster of teams, and the recruiting board exist, and every user has them: they
-- are features of Basic. The communication hub has no messages yet.
update public.pricing_tiers set coming_soon = array['Team messages'],
  features = array['Player, coach or scout profile', 'Measurements with their source', 'Season lines and percentiles',
    'Rankings and leaderboards', 'Team schedule and roster', 'Recruiting board with fit by program']
where id = 'BASIC';
update public.pricing_tiers set coming_soon = array['Swing analysis with sharing', 'Priority verification at camps']
where id = 'ELITE';

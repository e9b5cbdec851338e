-- A plan lists its available features apart from the planned ones, so that nobody chooses it for a feature that does
-- not exist yet.
alter table public.pricing_tiers add column coming_soon text[] not null default '{}';

update public.pricing_tiers set coming_soon = array['Rankings and leaderboards', 'Team communication'],
  features = array['Player, coach or scout profile', 'Measurements with their source', 'Season lines and percentiles']
where id = 'BASIC';
update public.pricing_tiers set features = array['Everything in Basic'],
  coming_soon = array['AI personal coach', 'Predictive analytics', 'Training plans with workload']
where id = 'PRO';
update public.pricing_tiers set features = array['Everything in Pro'],
  coming_soon = array['Swing analysis with sharing', 'Recruiting board with fit by program', 'Priority verification at camps']
where id = 'ELITE';

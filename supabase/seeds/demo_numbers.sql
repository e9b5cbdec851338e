-- The numbers of the people of demo.sql: measurements, season lines, links, and what everybody did on the page lately.

create or replace function pg_temp.chance(name text) returns double precision
language sql immutable
as $$ select ('x' || left(md5('dugout ' || name), 8))::bit(32)::bigint / 4294967296.0 $$;

create or replace function pg_temp.bell(name text) returns double precision
language sql immutable
as $$ select 2 * (pg_temp.chance(name || 'a') + pg_temp.chance(name || 'b') + pg_temp.chance(name || 'c') - 1.5) $$;

create or replace function pg_temp.person(number integer) returns uuid
language sql immutable
as $$ select ('d0600000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;

create or replace function pg_temp.thing(name text) returns uuid
language sql immutable
as $$ select overlay(overlay(md5('dugout ' || name) placing '4' from 13) placing '8' from 17)::uuid $$;

create temporary table seeded on commit drop as
select n as number, p.user_id as id, p.position_group as plays, p.positions, t.name as team_name, l.name as league_name,
  extract(year from now())::integer + 18 - p.grad_year as age, pg_temp.bell('talent' || n) as talent,
  coach.user_id as coach_id
from generate_series(1, 120) as n
join public.players as p on p.user_id = pg_temp.person(n)
left join public.team_members as m on m.user_id = p.user_id and m.status = 'active'
left join public.teams as t on t.id = m.team_id
left join public.leagues as l on l.id = t.league_id
left join public.team_members as coach on coach.team_id = t.id and coach.role = 'coach' and coach.status = 'active';

-- Three rounds, five months apart, in which everybody gets a little better. The columns of k: the value at 16 with average talent
-- (centre), the gain in a year, the effect of one standard deviation of talent (skill) and of the day (luck), the groups of
-- players, and the highest draw at which a showcase or coach, not the player, measured it (shown).
insert into public.measurements (id, player_id, kind, value, source, event, taken_at, verification_asked, verified_by,
  verified_at, created_by)
select pg_temp.thing(concat_ws(' ', 'measurement', s.number, k.kind, round)), s.id, k.kind,
  greatest(limits.minimum, least(limits.maximum,
    (k.centre + k.gain * (s.age - 16 - round * 0.4) + k.skill * s.talent + k.luck * pg_temp.bell(concat_ws(' ', k.kind, s.number, round)))::numeric)),
  said.source, case said.source when 'event' then 'Fall showcase' when 'device' then 'Bat sensor' end,
  (now() at time zone 'utc')::date - (12 + 150 * round + s.number % 40),
  said.source = 'self' and round = 0 and s.number % 4 = 1,
  said.verifier, case when said.verifier is not null then now() - interval '1 day' * (10 + 150 * round) end,
  case said.source when 'coach' then s.coach_id when 'event' then pg_temp.person(301) else s.id end
from seeded as s
cross join generate_series(0, 2) as round
join (values
  ('sixty_yard_dash', 7.15, -0.09, -0.17, 0.05, array['P', 'C', 'IF', 'OF', 'UT'], 0.65),
  ('home_to_first', 4.55, -0.05, -0.10, 0.05, array['C', 'IF', 'OF', 'UT'], 0.65),
  ('exit_velocity_max', 86.0, 2.6, 4.2, 1.2, array['C', 'IF', 'OF', 'UT'], 0.65),
  ('exit_velocity_avg', 76.0, 2.3, 3.6, 1.3, array['C', 'IF', 'OF', 'UT'], 0.65),
  ('bat_speed', 65.0, 1.8, 3.0, 1.2, array['C', 'IF', 'OF', 'UT'], 0.65),
  ('fastball_max', 81.5, 2.4, 3.4, 0.9, array['P'], 0.65),
  ('fastball_avg', 78.5, 2.3, 3.3, 0.8, array['P'], 0.65),
  ('spin_rate', 1980, 45, 130, 60, array['P'], 1.0),
  ('infield_velocity', 78.0, 2.2, 3.4, 1.2, array['IF'], 0.65),
  ('outfield_velocity', 81.0, 2.2, 3.6, 1.3, array['OF'], 0.65),
  ('catcher_velocity', 73.5, 1.9, 2.6, 1.0, array['C'], 0.65),
  ('pop_time', 2.16, -0.05, -0.08, 0.03, array['C'], 0.65),
  ('vertical_jump', 24.0, 1.0, 2.6, 0.8, array['P', 'C', 'IF', 'OF', 'UT'], 0.65)
) as k (kind, centre, gain, skill, luck, groups, shown) on s.plays = any (k.groups)
join public.measurement_kinds as limits on limits.kind = k.kind
cross join lateral (select pg_temp.chance(concat_ws(' ', 'source', k.kind, s.number, round)) as draw) as drawn
cross join lateral (select
  case when k.kind = 'bat_speed' then 'device' when draw < 0.40 and s.coach_id is not null then 'coach' when draw < k.shown then 'event' else 'self' end as source,
  case when k.kind = 'bat_speed' then null when draw < 0.40 and s.coach_id is not null then s.coach_id when draw < k.shown then pg_temp.person(301) end as verifier) as said
-- Not everybody was there each time.
where pg_temp.chance(concat_ws(' ', 'there', k.kind, s.number, round)) < 0.86
on conflict do nothing;

insert into public.batting_lines (id, player_id, season, team_name, league_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so,
  hbp, sf, sh, sb, cs)
select pg_temp.thing(concat_ws(' ', 'batting', s.number, back)), s.id, extract(year from now())::integer - back,
  coalesce(s.team_name, 'Cedar Falls Youth'), coalesce(s.league_name, 'Little league'), g, ab + bb + hbp + sf + sh, ab,
  h / 2 + bb / 3, h, doubles, triples, hr, h / 2 + hr, bb, so, hbp, sf, sh, floor((h + bb) * 0.2 * pg_temp.chance('steals' || s.number)), (h + bb) / 30
from seeded as s
cross join generate_series(0, 1) as back
cross join lateral (select concat_ws(' ', s.number, back) as name, s.talent - 0.35 * back as skill) as season
cross join lateral (select 18 + floor(10 * pg_temp.chance('games' || name))::integer as g) as played
cross join lateral (select round(g * (2.5 + 0.4 * pg_temp.chance('order' || name)))::integer as ab,
  round(g * greatest(0.12, 0.34 + 0.07 * pg_temp.bell('eye' || name)))::integer as bb, floor(3 * pg_temp.chance('hit by' || name))::integer as hbp,
  floor(3 * pg_temp.chance('flies' || name))::integer as sf, floor(3 * pg_temp.chance('bunts' || name))::integer as sh) as came_up
cross join lateral (select greatest(5, round(ab * (0.285 + 0.042 * skill + 0.018 * pg_temp.bell('bounces' || name))))::integer as h) as hit
cross join lateral (select round(h * (0.19 + 0.03 * pg_temp.bell('gaps' || name)))::integer as doubles,
  round(h * 0.035 * (1 + pg_temp.bell('legs' || name) / 3))::integer as triples,
  greatest(0, round(h * (0.06 + 0.03 * skill)))::integer as hr,
  least(ab - h, round(ab * greatest(0.06, 0.2 - 0.045 * skill + 0.03 * pg_temp.bell('misses' || name))))::integer as so) as kinds
where s.plays <> 'P' or s.number % 2 = 0
on conflict do nothing;

insert into public.pitching_lines (id, player_id, season, team_name, league_name, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp)
select pg_temp.thing(concat_ws(' ', 'pitching', s.number, back)), s.id, extract(year from now())::integer - back,
  coalesce(s.team_name, ''), coalesce(s.league_name, ''), g, gs, w, least(g - w, floor(4 * pg_temp.chance('losses' || name)))::integer, 0, outs,
  h, er + er / 6, er, least(h, er / 7), bb, so, floor(4 * pg_temp.chance('plunked' || name))
from seeded as s
cross join generate_series(0, 1) as back
cross join lateral (select concat_ws(' ', 'arm', s.number, back) as name, s.talent - 0.35 * back as skill) as season
cross join lateral (select 8 + floor(7 * pg_temp.chance('outings' || name))::integer as g) as played
cross join lateral (select least(g, floor(g * pg_temp.chance('starts' || s.number) * 1.3))::integer as gs,
  round(g * (9 + 5 * pg_temp.chance('innings' || name)))::integer as outs,
  least(g, greatest(0, round(g * 0.3 + skill)))::integer as w) as worked
cross join lateral (select greatest(6, round(outs / 3.0 * (0.86 - 0.13 * skill)))::integer as h,
  greatest(2, round(outs / 3.0 * (0.42 - 0.09 * skill + 0.06 * pg_temp.bell('walks' || name))))::integer as bb,
  greatest(5, round(outs / 3.0 * (1.0 + 0.2 * skill)))::integer as so,
  greatest(1, round(outs / 27.0 * greatest(0.6, 3.3 - 1.0 * skill + 0.5 * pg_temp.bell('runs' || name))))::integer as er) as allowed
where 'P' = any (s.positions)
on conflict do nothing;

insert into public.videos (id, player_id, title, url, recorded_on)
select pg_temp.thing(concat_ws(' ', 'video', s.number, nth)), s.id,
  case when s.plays = 'P' then (array['Bullpen, 25 pitches', 'Five innings against the Pilots'])[nth]
    else (array['Batting practice', 'Doubles and a triple in May'])[nth] end,
  format('https://video.example.com/watch/%s-%s', s.number, nth), (now() at time zone 'utc')::date - 30 * nth - s.number
from seeded as s cross join generate_series(1, 2) as nth
where s.number % 3 = 1 and (nth = 1 or s.number % 2 = 1)
on conflict do nothing;

insert into public.commitments (id, player_id, program, status, committed_on)
select pg_temp.thing('commitment ' || s.number), s.id,
  (array['Timber State University', 'Great Basin College', 'Lakes A&M', 'Port Gamble Tech'])[1 + s.number % 4],
  case when s.number % 3 = 0 then 'signed' else 'committed' end, (now() at time zone 'utc')::date - s.number
from seeded as s where s.age >= 17 and s.talent > 0.5
on conflict do nothing;

-- Who watches whom.
insert into public.follows (follower_id, followed_id, created_at)
select who.id, s.id, now() - interval '1 day' * (s.number % 50)
from (select pg_temp.person(n) as id, n from unnest(array[1, 201, 301, 302, 401, 402, 403, 501]) as n) as who
join seeded as s on s.id <> who.id and pg_temp.chance(concat_ws(' ', 'follows', who.n, s.number)) < 0.07
join public.users as u on u.id = who.id
on conflict do nothing;

insert into public.watchlists (id, owner_id, name)
select pg_temp.thing('watchlist 1'), u.id, 'Middle infielders' from public.users as u where u.id = pg_temp.person(301)
on conflict do nothing;
insert into public.watchlist_players (watchlist_id, player_id, note)
select w.id, s.id, case when s.talent > 1 then 'See again in spring' end
from public.watchlists as w join seeded as s on s.positions[1] in ('2B', 'SS') and s.talent > 0.2
where w.id = pg_temp.thing('watchlist 1')
on conflict do nothing;
insert into public.scout_notes (id, scout_id, player_id, body, grades)
select pg_temp.thing('note ' || s.number), pg_temp.person(301), s.id, 'Quick hands, quiet feet. Ball carries to all fields.',
  jsonb_build_object('hit', 20 + 5 * least(12, greatest(0, round(6 + 1.6 * s.talent))), 'run', 50, 'field', 45)
from seeded as s join public.scouts as k on k.user_id = pg_temp.person(301)
where s.talent > 0.9
on conflict do nothing;

-- Three months of visits; made once, for their rows have no name to be recognized by.
create temporary table visits on commit drop as
select u.id as user_id, date_trunc('day', now()) - interval '1 day' * day
    + interval '1 second' * floor(80000 * pg_temp.chance(concat_ws(' ', 'hour', u.id, day))) as began,
  floor(30 + 1500 * pg_temp.chance(concat_ws(' ', 'stay', u.id, day)) ^ 2)::integer as seconds,
  (array['Mobile', 'Mobile', 'Mobile', 'Desktop', 'Desktop', 'Tablet'])[1 + floor(6 * pg_temp.chance('device' || u.id))] as device
from public.users as u cross join generate_series(1, 60) as day
where u.id::text like 'd0600000-%' and not exists (select from public.page_views as v where v.user_id = u.id)
  and u.created_at < now() - interval '1 day' * day
  and pg_temp.chance(concat_ws(' ', 'visits', u.id, day)) < 0.12 + 0.3 * pg_temp.chance('keen' || u.id) ^ 3;

insert into public.user_sessions (user_id, session_start, last_activity, device_type, session_duration)
select user_id, began, began + interval '1 second' * seconds, device, seconds from visits;
insert into public.page_views (user_id, page_path, viewed_at)
select user_id, (array['/', '/', '/player', '/leaderboard', '/rankings', '/search', '/followed-players', '/referrals'])[1
  + floor(8 * pg_temp.chance(concat_ws(' ', 'page', user_id, began, nth)))], began + interval '1 second' * (nth * seconds / 3)
from visits cross join generate_series(0, 2) as nth;

-- The referral code of the player to sign in with, and how it did.
update public.referral_codes set code = 'DEMO-1', clicks = 34, conversions = 3
where owner_id = pg_temp.person(1) and code <> 'DEMO-1';
insert into public.referral_codes (code, owner_id, clicks) values ('SPRING', null, 17) on conflict do nothing;
insert into public.referral_analytics (referral_code, action, "timestamp", ip_address, user_agent)
select case when nth % 3 = 0 then 'SPRING' else 'DEMO-1' end, 'click', now() - interval '13 hours' * nth, 'unknown', 'Mozilla/5.0'
from generate_series(1, 51) as nth
where not exists (select from public.referral_analytics as r where r.referral_code = 'DEMO-1');
insert into public.referral_analytics (referral_code, action, "timestamp", converted_user_id)
select 'DEMO-1', 'signup', u.created_at, u.id from public.users as u
where u.id in (pg_temp.person(31), pg_temp.person(47), pg_temp.person(402))
on conflict do nothing;
insert into private.referral_conversions (user_id, code, converted_at)
select u.id, 'DEMO-1', u.created_at from public.users as u
where u.id in (pg_temp.person(31), pg_temp.person(47), pg_temp.person(402))
on conflict do nothing;

-- What waits for the admin.
insert into public.contact_messages (id, name, email, subject, message, created_at) values
  (pg_temp.thing('message 1'), 'Dana Whitlock', 'dana@example.com', 'Our whole league', 'We are 14 teams. Can we import our rosters at once?', now() - interval '2 days'),
  (pg_temp.thing('message 2'), 'Sam Ortiz', 'sam@example.com', 'Wrong height', 'I grew two inches. Where do I change it?', now() - interval '5 hours')
on conflict do nothing;
insert into public.reports (id, reporter_id, subject_kind, subject_id, subject_user_id, reason, details, created_at)
select pg_temp.thing('report 1'), pg_temp.person(401), 'measurement', m.id::text, m.player_id, 'false_data',
  'I timed this run myself, it was slower.', now() - interval '9 hours'
from public.measurements as m
where m.source = 'self' and m.kind = 'sixty_yard_dash' and m.player_id in (select id from seeded)
  and exists (select from public.users where id = pg_temp.person(401))
order by m.value limit 1
on conflict do nothing;
insert into public.suspensions (id, user_id, reason, suspended_by)
select pg_temp.thing('suspension 1'), u.id, 'Insulted players in reports, after two warnings.', pg_temp.person(501)
from public.users as u where u.id = pg_temp.person(404)
on conflict do nothing;

-- Season lines of players: totals must add up, rates are computed, links must be valid.
begin;
select plan(38);
delete from auth.users;

insert into auth.users (id, email, raw_user_meta_data) values
  ('00000000-0000-4000-8000-00000000000a', 'ann@example.com', '{"full_name": "Ann", "role": "player"}'),
  ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', '{"full_name": "Bob", "role": "player"}');
insert into public.birth_dates (user_id, birth_date) values
  ('00000000-0000-4000-8000-00000000000a', '1990-01-01'), ('00000000-0000-4000-8000-00000000000b', '1990-01-01');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}';

-- Batting.
select lives_ok(
  $$insert into public.batting_lines (player_id, season, team_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so, hbp, sf, sh, sb, cs)
    values ('00000000-0000-4000-8000-00000000000a', 2026, 'Owls', 25, 100, 80, 20, 28, 6, 1, 3, 21, 12, 18, 4, 2, 2, 8, 2)$$, 'a batting line can be added');
select results_eq('select avg, obp, slg, ops from public.batting_lines', 'values (0.350, 0.449, 0.563, 1.011)', 'the rates are computed, and OPS from unrounded parts');
select throws_ok($$update public.batting_lines set avg = 0.999$$, '428C9', null, 'the rates cannot be written');
select throws_ok($$update public.batting_lines set h = 81$$, '23514', null, 'hits cannot exceed at-bats');
select throws_ok($$update public.batting_lines set so = 53$$, '23514', null, 'hits and strikeouts together cannot exceed at-bats');
select throws_ok($$update public.batting_lines set doubles = 26$$, '23514', null, 'extra-base hits cannot exceed hits');
select throws_ok($$update public.batting_lines set bb = 13$$, '23514', null, 'plate appearances must add up');
select throws_ok($$update public.batting_lines set hr = -1$$, '23514', null, 'totals cannot be negative');
select throws_ok($$update public.batting_lines set season = 26$$, '23514', null, 'a season is a year with four digits');
select throws_ok($$update public.batting_lines set player_id = '00000000-0000-4000-8000-00000000000b'$$, '42501', null, 'the player of a line cannot be changed');
select throws_ok(
  $$insert into public.batting_lines (player_id, season, team_name) values ('00000000-0000-4000-8000-00000000000a', 2026, 'Owls')$$, '23505', null, 'there is one line per season and team');
select lives_ok($$insert into public.batting_lines (player_id, season, team_name) values ('00000000-0000-4000-8000-00000000000a', 2025, 'Owls')$$, 'another season can be added');
select results_eq('select avg, obp, slg, ops from public.batting_lines where season = 2025', 'values (null::numeric, null::numeric, null::numeric, null::numeric)', 'without at-bats the rates are null');

-- Pitching.
select lives_ok(
  $$insert into public.pitching_lines (player_id, season, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp)
    values ('00000000-0000-4000-8000-00000000000a', 2026, 12, 8, 5, 2, 1, 151, 40, 18, 15, 2, 14, 55, 3)$$, 'a pitching line can be added');
select results_eq('select era, whip, k9, bb9 from public.pitching_lines', 'values (2.68, 1.07, 9.8, 2.5)', 'the rates are computed');
select throws_ok($$update public.pitching_lines set er = 19$$, '23514', null, 'earned runs cannot exceed runs');
select throws_ok($$update public.pitching_lines set gs = 13$$, '23514', null, 'starts cannot exceed games');
select throws_ok($$update public.pitching_lines set w = 10$$, '23514', null, 'decisions cannot exceed games');
select throws_ok($$update public.pitching_lines set hr = 41$$, '23514', null, 'home runs cannot exceed hits');
select lives_ok($$update public.pitching_lines set outs = 0$$, 'a line without outs is valid');
select results_eq('select era, whip from public.pitching_lines', 'values (null::numeric, null::numeric)', 'without outs the rates are null');

-- Videos.
create function pg_temp.refuses(link text) returns boolean
language plpgsql
as $$
begin
  update public.videos set url = link;
  return false;
exception
  when check_violation then return true;
end
$$;
select lives_ok($$insert into public.videos (player_id, title, url) values ('00000000-0000-4000-8000-00000000000a', 'Swing', 'https://video.example.com/watch?v=1#t=3')$$, 'a link');
select throws_ok($$update public.videos set url = 'javascript:alert(1)'$$, '23514', null, 'a link cannot be a script');
select throws_ok($$update public.videos set url = 'http://video.example.com/1'$$, '23514', null, 'a link must be https');
select throws_ok($$update public.videos set url = 'https://video.example.com/"><script>'$$, '23514', null, 'a link cannot contain markup');
select throws_ok($$update public.videos set url = 'https://user:secret@video.example.com/'$$, '23514', null, 'a link cannot contain a password');
select throws_ok($$update public.videos set title = ' '$$, '23514', null, 'a video needs a title');
select is_empty($$select url from unnest(array['https://x.test:99999/', 'https://x.test:65536/', 'https://x.test:0/', 'https://.../', 'https://a..b/',
    'https://1.2.3.4.5/', 'https://256.256.256.256/', 'https://x.0x1f/', 'https://-x-/', 'https://localhost/', 'https://x.test:/']) as url,
  lateral (select pg_temp.refuses(url) as refused) as r where not refused$$, 'links that browsers cannot parse are refused');
select is_empty($$select url from unnest(array['https://x.test:65535/', 'https://x.test:443', 'https://youtu.be/a_b-c?t=1#x', 'https://xn--bcher-kva.example/', 'https://A-b.co.uk/%20']) as url,
  lateral (select pg_temp.refuses(url) as refused) as r where refused$$, 'links that browsers can parse are accepted');

-- Commitments.
select lives_ok($$insert into public.commitments (player_id, program) values ('00000000-0000-4000-8000-00000000000a', 'State')$$, 'a commitment can be added');
select throws_ok($$insert into public.commitments (player_id, program) values ('00000000-0000-4000-8000-00000000000a', 'Tech')$$, '23505', null, 'a player has one current commitment');
select lives_ok($$update public.commitments set status = 'withdrawn'$$, 'a commitment can be withdrawn');
select lives_ok($$insert into public.commitments (player_id, program, status) values ('00000000-0000-4000-8000-00000000000a', 'Tech', 'signed')$$, 'another commitment can follow');

-- Players' pages.
select lives_ok($$update public.players set positions = array['SS', 'P'], height_in = 70.5, weight_lb = 160, grad_year = 2027, jersey = '07'$$, 'players can fill their page');
select results_eq($$select position_group from public.players where user_id = '00000000-0000-4000-8000-00000000000a'$$, $$values ('IF')$$, 'the position group follows the first position');
select throws_ok($$update public.players set positions = array['QB']$$, '23514', null, 'an unknown position is refused');
select throws_ok($$update public.players set height_in = 180$$, '23514', null, 'a height in centimetres is refused');
select is((select count(*) from public.players where grad_year is not null), 1::bigint, 'other players'' pages are unchanged');

select * from finish();
rollback;

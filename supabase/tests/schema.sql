-- Rules that every present and future table and function must follow, like those of Supabase's database linter, and all
-- privileges as one list to read.
begin;
select plan(22);

select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity$$,
  'every table in public has row level security');
select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace
      and (relkind in ('m', 'f') or (relkind = 'v' and not coalesce(reloptions @> array['security_invoker=true'], false)))$$,
  'no view or foreign table in public bypasses row level security');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and 'public' = any (roles)$$,
  'every policy names its roles');
select is_empty(
  $$select tablename, role, command, count(*)
    from pg_policies, unnest(roles) as role,
      unnest(case cmd when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[cmd] end) as command
    where schemaname = 'public' and permissive = 'PERMISSIVE'
    group by 1, 2, 3 having count(*) > 1$$,
  'there is one permissive policy per table, role and command');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public'
      and regexp_replace(concat_ws(' ', qual, with_check), '\( SELECT (auth|private)\.\w+\(\) AS \w+\)', '', 'g') ~ '(auth|private)\.'$$,
  'policies evaluate functions of the caller once per statement');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public' and concat_ws(' ', qual, with_check) ~ '(user_metadata|raw_user_meta_data|jwt)'$$,
  'policies do not use metadata that users can edit');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and (qual = 'true' or with_check = 'true')$$,
  'no policy is always true');
select is_empty(
  $$select oid::regprocedure from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not coalesce(proconfig @> array['search_path=""'], false)$$,
  'all functions have an empty search_path');
select is_empty(
  $$select extname from pg_extension where extnamespace = 'public'::regnamespace$$,
  'no extension is in public');
select is_empty(
  $$select conrelid::regclass, conname from pg_constraint
    where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (
        select from pg_index
        where indrelid = conrelid and indpred is null and indkey[0] = conkey[1])$$,
  'every foreign key has an index');

-- Query plans: for every table and command, as a signed-in user, the filter on each row must not evaluate who the
-- caller is. Such subqueries must be InitPlans or hashed SubPlans, which run once per statement.
create function pg_temp.asked_per_row() returns table (plan text)
language plpgsql
as $$
declare
  relation record;
  command text;
begin
  perform set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated"}', true);
  perform set_config('role', 'authenticated', true);
  for relation in
    select c.oid, c.relname, (
      select a.attname from pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and has_column_privilege(c.oid, a.attnum, 'update') limit 1) as writable,
      has_table_privilege(c.oid, 'delete') as deletable
    from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  loop
    foreach command in array array[
      format('select from public.%I', relation.relname),
      case when relation.writable is not null then format('update public.%I set %2$I = %2$I', relation.relname, relation.writable) end,
      case when relation.deletable then format('delete from public.%I', relation.relname) end]
    loop
      continue when command is null;
      for plan in execute 'explain (costs off) ' || command loop
        if plan ~ '^ *(Filter|Index Cond|Recheck Cond|Join Filter|Hash Cond):' and plan ~ '(current_setting|auth\.|private\.)' then
          plan := command || ': ' || plan;
          return next;
        end if;
      end loop;
    end loop;
  end loop;
  perform set_config('role', 'none', true);
end
$$;
select is_empty('select plan from pg_temp.asked_per_row()', 'no plan evaluates the caller for each row');
-- The check detects a careless policy.
create table public.careless (owner_id uuid);
alter table public.careless enable row level security;
grant select on public.careless to authenticated;
create policy "owners" on public.careless for select to authenticated using (owner_id = auth.uid());
select is((select count(*) from pg_temp.asked_per_row()), 1::bigint, 'the check detects such a plan');
drop table public.careless;

select is_empty(
  $$select p.tablename, p.policyname, a.attname
    from pg_policies as p
    join pg_class as c on c.relname = p.tablename and c.relnamespace = p.schemaname::regnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
    where p.schemaname = 'public' and p.cmd <> 'INSERT'
      and coalesce(p.qual, '') ~ ('\m' || a.attname || ' (= \( SELECT auth\.uid|IN \( SELECT private\.)')
      and not exists (select from pg_index as i where i.indrelid = c.oid and i.indpred is null and i.indkey[0] = a.attnum)$$,
  'columns that policies compare with the caller have an index');
select is_empty(
  $$select tablename from pg_policies where schemaname = 'public' group by tablename
    having bool_or('authenticated' = any (roles)) and not bool_or(permissive = 'RESTRICTIVE' and qual ~ 'is_suspended')
      and tablename not in ('suspensions', 'memberships', 'measurement_kinds', 'pricing_tiers', 'contact_messages')$$,
  'suspended users are excluded from every table, with listed exceptions');
select is_empty(
  $$select c.relname from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
      select from pg_policy as p
      where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*' and p.polroles = array['authenticated'::regrole::oid]
        and pg_get_expr(p.polqual, c.oid) ~ 'is_own_app' and pg_get_expr(p.polwithcheck, c.oid) ~ 'is_own_app')$$,
  'other apps are excluded from every table');

select set_eq(
  $$select case grantee when 0 then 'public' else grantee::regrole::text end, object.oid::regprocedure::text, object.prosecdef
    from pg_proc as object, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (grantee = 0 or grantee in ('anon'::regrole, 'authenticated'::regrole))$$,
  $$values
    ('anon', 'increment_referral_clicks(text)', true),
    ('anon', 'news_rss()', true),
    ('anon', 'page_meta(text)', false),
    ('anon', 'player_percentiles(uuid)', true),
    ('anon', 'send_contact_message(text,text,text,text)', true),
    ('authenticated', 'accept_member(uuid,uuid)', true),
    ('authenticated', 'admin_activity(integer)', true),
    ('authenticated', 'admin_adjust_tokens(uuid,integer,text)', true),
    ('authenticated', 'admin_clear_birth_date(uuid,text)', true),
    ('authenticated', 'admin_devices(integer)', true),
    ('authenticated', 'admin_forget_minor_address(text,text)', true),
    ('authenticated', 'admin_handle_contact(uuid,boolean)', true),
    ('authenticated', 'admin_handle_report(uuid,text,text)', true),
    ('authenticated', 'admin_moderate(text,uuid,boolean,text)', true),
    ('authenticated', 'admin_referral_codes()', true),
    ('authenticated', 'admin_referral_funnel(integer)', true),
    ('authenticated', 'admin_set_membership(uuid,text,text)', true),
    ('authenticated', 'admin_set_role(uuid,text,text)', true),
    ('authenticated', 'admin_suspend_user(uuid,text)', true),
    ('authenticated', 'admin_top_pages(integer)', true),
    ('authenticated', 'admin_totals()', true),
    ('authenticated', 'admin_unsuspend_user(uuid,text)', true),
    ('authenticated', 'admin_verify_coach(uuid,boolean)', true),
    ('authenticated', 'admin_verify_scout(uuid,boolean)', true),
    ('authenticated', 'admin_weekly_activity(integer)', true),
    ('authenticated', 'answer_invitation(uuid,boolean)', true),
    ('authenticated', 'ask_to_join(uuid)', true),
    ('authenticated', 'correct_article(uuid,text,text,text,text)', true),
    ('authenticated', 'correct_birth_date(uuid,date)', true),
    ('authenticated', 'create_game(uuid,text,boolean,date,timestamp with time zone,boolean,integer,boolean,text)', true),
    ('authenticated', 'create_team(text,uuid,text,text)', true),
    ('authenticated', 'delete_account(uuid)', true),
    ('authenticated', 'export_my_data(uuid)', true),
    ('authenticated', 'first_tasks()', true),
    ('authenticated', 'home_games()', false),
    ('authenticated', 'increment_referral_clicks(text)', true),
    ('authenticated', 'increment_referral_conversions(text)', true),
    ('authenticated', 'invite_guardian(text)', true),
    ('authenticated', 'invite_to_team(uuid,uuid,text)', true),
    ('authenticated', 'is_sign_in_recent()', true),
    ('authenticated', 'leaderboard(text,integer,jsonb,text,integer,integer,integer)', true),
    ('authenticated', 'leave_team(uuid,uuid)', true),
    ('authenticated', 'may_keep_files(uuid)', false),
    ('authenticated', 'my_invitations()', true),
    ('authenticated', 'my_sessions()', true),
    ('authenticated', 'my_wards()', true),
    ('authenticated', 'news_rss()', true),
    ('authenticated', 'newsroom_rights()', true),
    ('authenticated', 'number_changes(date,boolean)', false),
    ('authenticated', 'player_percentiles(uuid)', true),
    ('authenticated', 'posting_rights()', true),
    ('authenticated', 'private.active_wards()', true),
    ('authenticated', 'private.begin_rating(text,integer)', true),
    ('authenticated', 'private.begin_scoring(uuid,uuid,boolean)', true),
    ('authenticated', 'private.coached_athletes()', true),
    ('authenticated', 'private.coached_members()', true),
    ('authenticated', 'private.coached_players()', true),
    ('authenticated', 'private.coached_teams()', true),
    ('authenticated', 'private.comment_refusal(uuid)', true),
    ('authenticated', 'private.end_scoring(uuid,uuid)', true),
    ('authenticated', 'private.familiar_people()', true),
    ('authenticated', 'private.followed_games()', true),
    ('authenticated', 'private.followed_people()', true),
    ('authenticated', 'private.game_to_recap(uuid)', true),
    ('authenticated', 'private.has_post_room(uuid)', true),
    ('authenticated', 'private.has_room(text,text)', true),
    ('authenticated', 'private.is_admin()', true),
    ('authenticated', 'private.is_adult()', true),
    ('authenticated', 'private.is_own_app()', false),
    ('authenticated', 'private.is_suspended()', true),
    ('authenticated', 'private.is_verified_coach()', true),
    ('authenticated', 'private.is_verified_reader()', true),
    ('authenticated', 'private.is_ward()', true),
    ('authenticated', 'private.keeps_logo(uuid)', true),
    ('authenticated', 'private.kept_people()', true),
    ('authenticated', 'private.likes_of(uuid)', true),
    ('authenticated', 'private.may_add_cover(uuid)', true),
    ('authenticated', 'private.may_publish()', true),
    ('authenticated', 'private.newsroom_teams()', true),
    ('authenticated', 'private.open_children()', true),
    ('authenticated', 'private.opened_child()', true),
    ('authenticated', 'private.own_athletes()', true),
    ('authenticated', 'private.own_teams()', true),
    ('authenticated', 'private.owner_of(text)', false),
    ('authenticated', 'private.posting_teams()', true),
    ('authenticated', 'private.public_names(uuid)', true),
    ('authenticated', 'private.reported_article_comments()', true),
    ('authenticated', 'private.reported_comments()', true),
    ('authenticated', 'private.reported_posts()', true),
    ('authenticated', 'private.rosters()', true),
    ('authenticated', 'private.save_rating(jsonb)', true),
    ('authenticated', 'private.save_scoring(uuid,uuid,jsonb)', true),
    ('authenticated', 'private.scoring_teams()', true),
    ('authenticated', 'private.shared_boards()', true),
    ('authenticated', 'private.unseen_people()', true),
    ('authenticated', 'private.wards()', true),
    ('authenticated', 'profile_visibility()', true),
    ('authenticated', 'rankings(text,jsonb,jsonb,jsonb,integer)', true),
    ('authenticated', 'referral_funnel(integer)', true),
    ('authenticated', 'revoke_guardianship(uuid)', true),
    ('authenticated', 'search_players(text,jsonb,jsonb)', true),
    ('authenticated', 'search_suggest(text,integer)', true),
    ('authenticated', 'send_contact_message(text,text,text,text)', true),
    ('authenticated', 'set_ward_audience(uuid,text)', true),
    ('authenticated', 'set_ward_visibility(uuid,boolean)', true),
    ('authenticated', 'sign_out_session(uuid)', true),
    ('authenticated', 'timeline(text,timestamp with time zone,uuid,uuid)', false),
    ('authenticated', 'verify_measurement(uuid,boolean)', true),
    ('authenticated', 'vouch_for_coach(uuid,boolean)', true)$$,
  'the executable functions are as listed');

select set_eq(
  $$select grantee::regrole::text, relname::text, string_agg(lower(privilege_type), ', ' order by privilege_type)
    from pg_class, aclexplode(relacl) as acl
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (grantee = 0 or grantee in ('anon'::regrole, 'authenticated'::regrole))
    group by 1, 2$$,
  $$values
    ('anon', 'athlete_identities', 'select'),
    ('anon', 'batting_lines', 'select'),
    ('anon', 'coaches', 'select'),
    ('anon', 'commitments', 'select'),
    ('anon', 'leagues', 'select'),
    ('anon', 'line_scores', 'select'),
    ('anon', 'lineups', 'select'),
    ('anon', 'measurement_kinds', 'select'),
    ('anon', 'measurements', 'select'),
    ('anon', 'pitches', 'select'),
    ('anon', 'pitching_lines', 'select'),
    ('anon', 'player_game_batting', 'select'),
    ('anon', 'player_game_fielding', 'select'),
    ('anon', 'player_game_pitching', 'select'),
    ('anon', 'player_numbers', 'select'),
    ('anon', 'player_season_batting', 'select'),
    ('anon', 'player_season_fielding', 'select'),
    ('anon', 'player_season_pitching', 'select'),
    ('anon', 'players', 'select'),
    ('anon', 'pricing_tiers', 'select'),
    ('anon', 'rosters', 'select'),
    ('anon', 'seasons', 'select'),
    ('anon', 'team_members', 'select'),
    ('anon', 'videos', 'select'),
    ('authenticated', 'admin_audit_log', 'select'),
    ('authenticated', 'admin_users', 'select'),
    ('authenticated', 'article_comments', 'delete'),
    ('authenticated', 'articles', 'delete'),
    ('authenticated', 'athlete_identities', 'select'),
    ('authenticated', 'audit_log', 'select'),
    ('authenticated', 'batting_lines', 'delete, select'),
    ('authenticated', 'birth_dates', 'select'),
    ('authenticated', 'blocks', 'delete, select'),
    ('authenticated', 'coach_vouches', 'select'),
    ('authenticated', 'coaches', 'select'),
    ('authenticated', 'college_contacts', 'delete, select'),
    ('authenticated', 'college_plans', 'delete, select'),
    ('authenticated', 'college_targets', 'delete, select'),
    ('authenticated', 'college_tasks', 'delete, select'),
    ('authenticated', 'commitments', 'delete, select'),
    ('authenticated', 'contact_messages', 'select'),
    ('authenticated', 'follows', 'delete, select'),
    ('authenticated', 'games', 'delete'),
    ('authenticated', 'guardianships', 'select'),
    ('authenticated', 'leagues', 'select'),
    ('authenticated', 'line_scores', 'select'),
    ('authenticated', 'lineups', 'select'),
    ('authenticated', 'measurement_kinds', 'select'),
    ('authenticated', 'measurements', 'delete, select'),
    ('authenticated', 'memberships', 'select'),
    ('authenticated', 'notification_preferences', 'delete, select'),
    ('authenticated', 'page_views', 'select'),
    ('authenticated', 'pitches', 'select'),
    ('authenticated', 'pitching_lines', 'delete, select'),
    ('authenticated', 'player_game_batting', 'select'),
    ('authenticated', 'player_game_fielding', 'select'),
    ('authenticated', 'player_game_pitching', 'select'),
    ('authenticated', 'player_numbers', 'select'),
    ('authenticated', 'player_ratings', 'select'),
    ('authenticated', 'player_season_batting', 'select'),
    ('authenticated', 'player_season_fielding', 'select'),
    ('authenticated', 'player_season_pitching', 'select'),
    ('authenticated', 'players', 'select'),
    ('authenticated', 'post_comments', 'delete'),
    ('authenticated', 'post_likes', 'delete, select'),
    ('authenticated', 'posts', 'delete'),
    ('authenticated', 'pricing_tiers', 'select'),
    ('authenticated', 'program_levels', 'select'),
    ('authenticated', 'programs', 'select'),
    ('authenticated', 'recruiting_periods', 'delete, select'),
    ('authenticated', 'referral_analytics', 'select'),
    ('authenticated', 'referral_codes', 'select'),
    ('authenticated', 'reports', 'select'),
    ('authenticated', 'rosters', 'select'),
    ('authenticated', 'scout_notes', 'delete, select'),
    ('authenticated', 'seasons', 'select'),
    ('authenticated', 'team_members', 'select'),
    ('authenticated', 'team_ratings', 'select'),
    ('authenticated', 'token_ledger', 'select'),
    ('authenticated', 'user_sessions', 'select'),
    ('authenticated', 'users', 'select'),
    ('authenticated', 'videos', 'delete, select'),
    ('authenticated', 'watchlist_players', 'delete, select'),
    ('authenticated', 'watchlists', 'delete, select')$$,
  'the privileges on whole tables are as listed');

select set_eq(
  $$select grantee::regrole::text, relname::text, lower(privilege_type), string_agg(attname, ', ' order by attnum)
    from pg_class join pg_attribute on attrelid = pg_class.oid and not attisdropped, aclexplode(attacl) as acl
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by 1, 2, 3$$,
  $$values
        ('anon', 'article_corrections', 'select', 'id, article_id, note, corrected_at'),
    ('anon', 'articles', 'select', 'id, author_id, team_id, game_id, kind, title, summary, body, tags, cover, cover_alt, status, published_at, comments_open, created_at, updated_at'),
('anon', 'player_academics', 'select', 'user_id, school, gpa, updated_at'),
    ('anon', 'athletes', 'select', 'id, initial, is_public'),
    ('anon', 'games', 'select', 'id, season_id, external_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on, starts_at, number, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit, home_bats_first, info, status, ended, visitor_runs, home_runs, inning, batting, outs, balls, strikes, on_first, on_second, on_third, batter_id, pitcher_id, revision, created_at, updated_at'),
    ('anon', 'plays', 'select', 'game_id, id, seq, record, replaces, after, created_at, ord, outcome'),
    ('anon', 'profiles', 'select', 'id, full_name, role, public_profile, created_at, photo'),
    ('anon', 'referral_analytics', 'insert', 'referral_code, action, timestamp, ip_address, user_agent, converted_user_id'),
    ('anon', 'scouts', 'select', 'user_id, org, regions, bio, verified_at, updated_at'),
    ('anon', 'teams', 'select', 'id, league_id, name, city, state, active, created_at, logo'),
    ('authenticated', 'article_comments', 'insert', 'id, article_id, author_id, body'),
    ('authenticated', 'article_comments', 'select', 'id, article_id, author_id, body, state, removal_reason, created_at'),
    ('authenticated', 'article_corrections', 'select', 'id, article_id, note, corrected_at'),
    ('authenticated', 'articles', 'insert', 'id, author_id, team_id, game_id, kind, title, summary, body, tags, cover, cover_alt, comments_open'),
    ('authenticated', 'articles', 'select', 'id, author_id, team_id, game_id, kind, title, summary, body, tags, cover, cover_alt, status, published_at, comments_open, created_at, updated_at'),
    ('authenticated', 'articles', 'update', 'title, summary, body, tags, cover, cover_alt, status, published_at, comments_open'),
    ('authenticated', 'batting_lines', 'insert', 'id, player_id, season, team_name, league_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so, hbp, sf, sh, sb, cs'),
    ('authenticated', 'batting_lines', 'update', 'season, team_name, league_name, g, pa, ab, r, h, doubles, triples, hr, rbi, bb, so, hbp, sf, sh, sb, cs'),
    ('authenticated', 'birth_dates', 'insert', 'user_id, birth_date'),
    ('authenticated', 'athletes', 'select', 'id, initial, is_public'),
    ('authenticated', 'games', 'select', 'id, season_id, external_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on, starts_at, number, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit, home_bats_first, info, status, ended, visitor_runs, home_runs, inning, batting, outs, balls, strikes, on_first, on_second, on_third, batter_id, pitcher_id, revision, created_at, updated_at'),
    ('authenticated', 'blocks', 'insert', 'blocker_id, blocked_id'),
    ('authenticated', 'games', 'update', 'played_on, starts_at, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit'),
    ('authenticated', 'plays', 'select', 'game_id, id, seq, record, replaces, after, created_at, ord, outcome'),
    ('authenticated', 'coaches', 'update', 'league, team_name, years_coaching, years_current_league, months_current_league, years_current_team, months_current_team, display_badges, certifications, bio'),
    ('authenticated', 'college_contacts', 'insert', 'id, player_id, target_id, kind, received, happened_on, person, body'),
    ('authenticated', 'college_contacts', 'update', 'kind, received, happened_on, person, body'),
    ('authenticated', 'college_plans', 'insert', 'player_id, shared_with_coaches, what_if'),
    ('authenticated', 'college_plans', 'update', 'shared_with_coaches, what_if'),
    ('authenticated', 'college_targets', 'insert', 'id, player_id, program_id, status, next_step, next_on, notes, visit_on, visit_kind, offer, reply_by'),
    ('authenticated', 'college_targets', 'update', 'status, next_step, next_on, notes, visit_on, visit_kind, offer, reply_by'),
    ('authenticated', 'college_tasks', 'insert', 'id, player_id, grade, title, due_on, done_on'),
    ('authenticated', 'college_tasks', 'update', 'title, due_on, done_on'),
    ('authenticated', 'commitments', 'insert', 'id, player_id, program, status, committed_on'),
    ('authenticated', 'commitments', 'update', 'program, status, committed_on'),
    ('authenticated', 'follows', 'insert', 'follower_id, followed_id, muted'),
    ('authenticated', 'follows', 'update', 'muted'),
    ('authenticated', 'leagues', 'insert', 'name, level, state'),
    ('authenticated', 'leagues', 'update', 'name, level, state, active'),
    ('authenticated', 'measurements', 'insert', 'id, player_id, kind, value, source, event, taken_at, verification_asked'),
    ('authenticated', 'measurements', 'update', 'event, verification_asked'),
    ('authenticated', 'notification_preferences', 'insert', 'user_id, topic, channel, enabled'),
    ('authenticated', 'notification_preferences', 'update', 'user_id, topic, channel, enabled'),
    ('authenticated', 'page_views', 'insert', 'user_id, page_path, viewed_at'),
    ('authenticated', 'pitching_lines', 'insert', 'id, player_id, season, team_name, league_name, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp'),
    ('authenticated', 'pitching_lines', 'update', 'season, team_name, league_name, g, gs, w, l, sv, outs, h, r, er, hr, bb, so, hbp'),
    ('authenticated', 'player_academics', 'insert', 'user_id, school, gpa'),
    ('authenticated', 'player_academics', 'select', 'user_id, school, gpa, updated_at'),
    ('authenticated', 'player_academics', 'update', 'user_id, school, gpa'),
    ('authenticated', 'players', 'insert', 'user_id, bats, throws, positions, height_in, weight_lb, grad_year, hometown, state, bio, jersey, accept_coach_stats'),
    ('authenticated', 'players', 'update', 'bats, throws, positions, height_in, weight_lb, grad_year, hometown, state, bio, jersey, accept_coach_stats'),
    ('authenticated', 'post_comments', 'insert', 'id, post_id, author_id, body'),
    ('authenticated', 'post_comments', 'select', 'id, post_id, author_id, body, state, removal_reason, created_at'),
    ('authenticated', 'post_likes', 'insert', 'post_id, user_id'),
    ('authenticated', 'posts', 'insert', 'id, author_id, visibility, team_id, game_id, body, media, media_width, media_height, media_alt'),
    ('authenticated', 'posts', 'select', 'id, kind, author_id, visibility, team_id, game_id, milestone, amount, body, media, media_width, media_height, media_alt, state, removal_reason, created_at'),
    ('authenticated', 'profiles', 'select', 'id, full_name, role, public_profile, created_at, photo'),
    ('authenticated', 'profiles', 'update', 'photo'),
    ('authenticated', 'recruiting_periods', 'insert', 'id, division, kind, starts_on, ends_on, source, checked_on'),
    ('authenticated', 'recruiting_periods', 'update', 'kind, starts_on, ends_on, source, checked_on'),
    ('authenticated', 'referral_analytics', 'insert', 'referral_code, action, timestamp, ip_address, user_agent, converted_user_id'),
    ('authenticated', 'rating_runs', 'select', 'id, kind, season, method, params, data_hash, created_at'),
    ('authenticated', 'reports', 'insert', 'id, subject_kind, subject_id, subject_user_id, reason, details'),
    ('authenticated', 'scout_notes', 'insert', 'id, scout_id, player_id, body, grades'),
    ('authenticated', 'scout_notes', 'update', 'body, grades'),
    ('authenticated', 'scouts', 'select', 'user_id, org, regions, bio, verified_at, updated_at'),
    ('authenticated', 'scouts', 'update', 'org, regions, bio'),
    ('authenticated', 'suspensions', 'select', 'id, user_id, reason, suspended_at, lifted_at'),
    ('authenticated', 'teams', 'select', 'id, league_id, name, city, state, active, created_at, logo'),
    ('authenticated', 'teams', 'update', 'name, city, state, active, logo'),
    ('authenticated', 'user_sessions', 'insert', 'user_id, session_start, last_activity, device_type, session_duration'),
    ('authenticated', 'user_sessions', 'update', 'last_activity, session_duration'),
    ('authenticated', 'users', 'insert', 'id, email, full_name, role, user_type, public_profile'),
    ('authenticated', 'users', 'update', 'full_name, public_profile'),
    ('authenticated', 'videos', 'insert', 'id, player_id, title, url, recorded_on, path'),
    ('authenticated', 'videos', 'update', 'title, url, recorded_on'),
    ('authenticated', 'watchlist_players', 'insert', 'watchlist_id, player_id, note'),
    ('authenticated', 'watchlist_players', 'update', 'note'),
    ('authenticated', 'watchlists', 'insert', 'id, owner_id, name'),
    ('authenticated', 'watchlists', 'update', 'name')$$,
  'the privileges on columns are as listed');

select results_eq(
  $$select role, has_schema_privilege(role, 'private', 'usage'), has_schema_privilege(role, 'private', 'create'),
      has_schema_privilege(role, 'public', 'create')
    from unnest(array['anon', 'authenticated']) as role$$,
  $$values ('anon', false, false, false), ('authenticated', true, false, false)$$,
  'visitors cannot use private, and no API role can create objects');

-- As the role that runs the migrations.
do $$ begin
  execute format('set local role %I', (select tableowner from pg_tables where schemaname = 'public' and tablename = 'users'));
end $$;
create table public.later (id bigint generated always as identity);
select results_eq(
  $$select has_table_privilege(role, 'public.later', 'select, insert, update, delete') from unnest(array['anon', 'authenticated']) as role$$,
  $$values (false), (false)$$,
  'a new table is not accessible without a grant');
select is(has_table_privilege('service_role', 'public.later', 'select, insert, update, delete'), true, 'a new table is accessible to service_role');
select is(has_table_privilege('service_role', 'public.users', 'select, insert, update, delete'), true, 'service_role has all privileges on existing tables');
reset role;

select * from finish();
rollback;

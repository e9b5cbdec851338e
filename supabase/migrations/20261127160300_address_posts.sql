-- A post by its address: with the scope "post" and its id, timeline() returns any post that the caller may read, also one of a muted
-- author, and a result of teams that the caller does not follow.
create or replace function public.timeline(scope text default 'all', before_at timestamptz default null, before_id uuid default null,
  only_id uuid default null)
returns table (id uuid, kind text, created_at timestamptz, visibility text, state text, removal_reason text, body text, milestone text,
  amount smallint, media text, media_width smallint, media_height smallint, media_alt text, author_id uuid, author_name text,
  author_photo text, author_role text, team_id uuid, team_name text, game jsonb, likes integer, liked boolean, comments integer,
  comment_refusal text)
language sql stable security invoker
set search_path = ''
as $$
  select p.id, p.kind, p.created_at, p.visibility, p.state, p.removal_reason, p.body, p.milestone, p.amount, p.media,
    p.media_width, p.media_height, p.media_alt, p.author_id, a.full_name, a.photo, a.role, p.team_id, t.name,
    (select jsonb_build_object('id', g.id, 'visitor_name', g.visitor_name, 'home_name', g.home_name,
      'visitor_runs', g.visitor_runs, 'home_runs', g.home_runs, 'status', g.status, 'inning', g.inning,
      'innings', g.innings, 'batting', g.batting, 'home_bats_first', g.home_bats_first, 'played_on', g.played_on)
     from public.games as g where g.id = p.game_id),
    private.likes_of(p.id),
    exists (select from public.post_likes as l where l.post_id = p.id and l.user_id = (select auth.uid())),
    (select count(*)::integer from public.post_comments as c where c.post_id = p.id and c.state = 'shown'),
    private.comment_refusal(p.id)
  from public.posts as p
  left join public.profiles as a on a.id = p.author_id
  left join public.teams as t on t.id = p.team_id
  where (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
    and (only_id is null or p.id = only_id)
    and (before_at is null or (p.created_at, p.id) < (before_at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    and case scope
      when 'following' then p.author_id in (select private.followed_people()) or p.game_id in (select private.followed_games())
      when 'team' then p.team_id in (select private.own_teams())
      when 'mine' then p.author_id = (select auth.uid())
      when 'post' then p.id = only_id
      -- Results only of the caller's teams, and of games in which somebody plays whom the caller follows. An admin's list has
      -- nothing that was only reported.
      else (p.author_id is not null or p.team_id in (select private.own_teams()) or p.game_id in (select private.followed_games()))
        and (p.author_id is null or not exists (
          select from public.follows as f
          where f.follower_id = (select auth.uid()) and f.followed_id = p.author_id and f.muted))
        and (p.visibility = 'public' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards())
          or p.author_id in (select private.followed_people()) or p.team_id in (select private.own_teams()))
      end
  order by p.created_at desc, p.id desc
  limit 20
$$;


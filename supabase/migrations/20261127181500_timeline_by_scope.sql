-- The timeline with queries of its own for each scope. With the scope as a condition, all of them read everybody's latest posts
-- until twenty fitted.

-- What strangers may read of others: adults, and minors.
create index posts_public_idx on public.posts (created_at desc, id desc) where visibility = 'public' and author_id is not null;
create index posts_coach_idx on public.posts (created_at desc, id desc) where visibility = 'public' and by_coach;
-- Verified coaches are public.
grant select (by_coach) on public.posts to authenticated;

-- These functions run as the caller, so that the policies decide what is read. They return up to twenty ids of posts before
-- (edge_at, edge_id).

-- The latest posts of these authors, to these teams and about these games.
create function private.posts_of(authors uuid[], teams uuid[], games uuid[], edge_at timestamptz, edge_id uuid) returns setof uuid
language sql stable
set search_path = ''
as $$
  select every.id
  from (
    select p.id, p.created_at from unnest(authors) as a (id), lateral (
      select p.id, p.created_at from public.posts as p
      where p.author_id = a.id and (p.created_at, p.id) < (edge_at, edge_id)
        and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
      order by p.created_at desc, p.id desc limit 20) as p
    union
    select p.id, p.created_at from unnest(teams) as t (id), lateral (
      select p.id, p.created_at from public.posts as p
      where p.team_id = t.id and (p.created_at, p.id) < (edge_at, edge_id)
        and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
      order by p.created_at desc, p.id desc limit 20) as p
    union
    select p.id, p.created_at from unnest(games) as g (id), lateral (
      select p.id, p.created_at from public.posts as p
      where p.game_id = g.id and (p.created_at, p.id) < (edge_at, edge_id)
        and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
      order by p.created_at desc, p.id desc limit 20) as p
  ) as every
  order by every.created_at desc, every.id desc
  limit 20
$$;
revoke all on function private.posts_of(uuid[], uuid[], uuid[], timestamptz, uuid) from public;
grant execute on function private.posts_of(uuid[], uuid[], uuid[], timestamptz, uuid) to authenticated;

-- The latest posts to the public, by anyone whom the caller may read, without those of muted authors. Minors read verified
-- coaches; whom else they read, private.posts_for_caller() adds.
create function private.public_posts(muted uuid[], edge_at timestamptz, edge_id uuid)
returns table (id uuid, created_at timestamptz)
language plpgsql stable
set search_path = ''
as $$
begin
  if private.is_adult() or private.is_admin() then
    return query
    select p.id, p.created_at from public.posts as p
    where p.visibility = 'public' and p.author_id is not null and p.state = 'shown' and p.author_id <> all (muted)
      and (p.created_at, p.id) < (edge_at, edge_id)
    order by p.created_at desc, p.id desc limit 20;
  else
    return query
    select p.id, p.created_at from public.posts as p
    where p.visibility = 'public' and p.by_coach and p.state = 'shown' and p.author_id <> all (muted)
      and (p.created_at, p.id) < (edge_at, edge_id)
    order by p.created_at desc, p.id desc limit 20;
  end if;
end
$$;
revoke all on function private.public_posts(uuid[], timestamptz, uuid) from public;
grant execute on function private.public_posts(uuid[], timestamptz, uuid) to authenticated;

-- Everything for the caller: public posts, the own ones and those of wards, of followed and familiar people and to the teams, and
-- the results of followed games. An admin's list has nothing that was only reported.
create function private.posts_for_caller(edge_at timestamptz, edge_id uuid) returns setof uuid
language plpgsql stable
set search_path = ''
as $$
declare
  muted constant uuid[] := array(select f.followed_id from public.follows as f where f.follower_id = (select auth.uid()) and f.muted);
  strangers uuid[];
  dates timestamptz[];
  -- Older posts than the twentieth public one are not on the page.
  since timestamptz := '-infinity';
begin
  select array_agg(p.id), array_agg(p.created_at), case when count(*) = 20 then min(p.created_at) else since end
  into strangers, dates, since from private.public_posts(muted, edge_at, edge_id) as p;
  return query
  select every.id
  from (
    select p.id, p.created_at from unnest(strangers, dates) as p (id, created_at)
    union
    select p.id, p.created_at
    from (select (select auth.uid()) as id union select private.wards() union select private.followed_people()) as a, lateral (
      select p.id, p.created_at from public.posts as p
      where p.author_id = a.id and p.author_id <> all (muted) and p.created_at >= since and (p.created_at, p.id) < (edge_at, edge_id)
        and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
      order by p.created_at desc, p.id desc limit 20) as p
    union
    select p.id, p.created_at from private.familiar_people() as a (id), lateral (
      select p.id, p.created_at from public.posts as p
      where p.author_id = a.id and p.author_id <> all (muted) and p.created_at >= since and (p.created_at, p.id) < (edge_at, edge_id)
        and p.visibility = 'public' and p.state = 'shown'
      order by p.created_at desc, p.id desc limit 20) as p
    union
    select p.id, p.created_at from (select distinct private.own_teams() as id) as t, lateral (
      select p.id, p.created_at from public.posts as p
      where p.team_id = t.id and (p.author_id is null or p.author_id <> all (muted))
        and p.created_at >= since and (p.created_at, p.id) < (edge_at, edge_id)
        and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
      order by p.created_at desc, p.id desc limit 20) as p
    union
    select p.id, p.created_at from private.followed_games() as g (id), lateral (
      select p.id, p.created_at from public.posts as p
      where p.game_id = g.id and p.author_id is null and p.state = 'shown'
        and p.created_at >= since and (p.created_at, p.id) < (edge_at, edge_id)
      order by p.created_at desc, p.id desc limit 20) as p
  ) as every
  order by every.created_at desc, every.id desc
  limit 20;
end
$$;
revoke all on function private.posts_for_caller(timestamptz, uuid) from public;
grant execute on function private.posts_for_caller(timestamptz, uuid) to authenticated;

-- The post if the scope has it, and it is before (edge_at, edge_id). The conditions are those of the lists.
create function private.post_in_scope(post uuid, scope text, edge_at timestamptz, edge_id uuid) returns setof uuid
language sql stable
set search_path = ''
as $$
  select p.id from public.posts as p
  where p.id = post and (p.created_at, p.id) < (edge_at, edge_id)
    and (p.state = 'shown' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards()))
    and case scope
      when 'following' then p.author_id in (select private.followed_people()) or p.game_id in (select private.followed_games())
      when 'team' then p.team_id in (select private.own_teams())
      when 'mine' then p.author_id = (select auth.uid())
      when 'post' then true
      else (p.author_id is not null or p.team_id in (select private.own_teams()) or p.game_id in (select private.followed_games()))
        and (p.author_id is null or not exists (
          select from public.follows as f
          where f.follower_id = (select auth.uid()) and f.followed_id = p.author_id and f.muted))
        and (p.visibility = 'public' or p.author_id = (select auth.uid()) or p.author_id in (select private.wards())
          or p.author_id in (select private.followed_people()) or p.team_id in (select private.own_teams()))
      end
$$;
revoke all on function private.post_in_scope(uuid, text, timestamptz, uuid) from public;
grant execute on function private.post_in_scope(uuid, text, timestamptz, uuid) to authenticated;

-- As in 20261123070200. Posts, the latest first, 20 at a time. The policies decide what the caller reads.
-- scope: all, following, team or mine; with post, any post that the caller may
-- read, by its id, also one of a muted author and a result of teams that the caller does not follow. before_at and before_id: the last post of the page before. only_id: that post alone, if the
-- scope has it.
create or replace function public.timeline(scope text default 'all', before_at timestamptz default null, before_id uuid default null,
  only_id uuid default null)
returns table (id uuid, kind text, created_at timestamptz, visibility text, state text, removal_reason text, body text,
  milestone text, amount smallint, media text, media_width smallint, media_height smallint, media_alt text,
  author_id uuid, author_name text, author_photo text, author_role text, team_id uuid, team_name text, game jsonb,
  likes integer, liked boolean, comments integer, comment_refusal text)
language plpgsql stable security invoker
set search_path = ''
as $$
declare
  edge_at timestamptz := coalesce(before_at, 'infinity');
  edge_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  page uuid[];
begin
  page := case
    when only_id is not null then array(select private.post_in_scope(only_id, scope, edge_at, edge_id))
    when scope = 'post' then array[]::uuid[]
    when scope = 'mine' then array(select private.posts_of(array[auth.uid()], null, null, edge_at, edge_id))
    when scope = 'team' then array(select private.posts_of(null, array(select distinct private.own_teams()), null, edge_at, edge_id))
    when scope = 'following' then array(select private.posts_of(
      array(select private.followed_people()), null, array(select private.followed_games()), edge_at, edge_id))
    else array(select private.posts_for_caller(edge_at, edge_id)) end;
  return query
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
  where p.id = any (page)
  order by p.created_at desc, p.id desc;
end
$$;

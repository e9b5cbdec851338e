-- The timeline: posts, likes and comments. A post is visible as long as its author and its game are: the policies of
-- profiles and games decide. Nothing of a child under 13 leaves the team. Strangers' posts and comments reach minors only from
-- verified coaches.

-- A block hides each user's posts and comments from the other.
create table public.blocks (
  blocker_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint blocks_not_oneself check (blocker_id <> blocked_id)
);
create index blocks_blocked_id_idx on public.blocks (blocked_id);

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  -- result: the final score of a game, without an author. milestone: of a player, computed from the plays.
  kind text not null default 'post' check (kind in ('post', 'result', 'milestone')),
  author_id uuid default auth.uid() references public.profiles (id) on delete cascade,
  visibility text not null check (visibility in ('self', 'team', 'followers', 'public')),
  team_id uuid references public.teams (id) on delete cascade,
  -- The result that is shown with the text, or that the milestone comes from.
  game_id uuid references public.games (id) on delete cascade,
  milestone text check (milestone in ('first_home_run', 'home_runs', 'cycle', 'hits', 'rbi', 'first_win', 'strikeouts', 'shutout')),
  -- How many home runs, hits, runs batted in or strikeouts.
  amount smallint,
  body text not null default '' check (char_length(body) <= 2000),
  -- A photo or video in the bucket post-media.
  media text unique check (
    split_part(media, '/', 1) = author_id::text and media ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(jpg|mp4|webm|mov)$'),
  -- In pixels; null for videos.
  media_width smallint check (media_width between 1 and 8192),
  media_height smallint check (media_height between 1 and 8192),
  -- What the picture shows, for readers who do not see it.
  media_alt text not null default '' check (char_length(media_alt) <= 300),
  -- held: reported by several users, and hidden until an admin has looked at it. removed: by an admin.
  state text not null default 'shown' check (state in ('shown', 'held', 'removed')),
  -- The admin's words to the author.
  removal_reason text check (char_length(removal_reason) <= 1000),
  reviewed_at timestamptz,
  -- The author's thirteenth birthday. Not granted to anyone, because it reveals the birth date.
  child_until date not null default '-infinity',
  created_at timestamptz not null default now(),
  constraint posts_team check (kind <> 'post' or (visibility = 'team') = (team_id is not null)),
  constraint posts_author check ((author_id is null) = (kind = 'result')),
  constraint posts_game check (kind = 'post' or game_id is not null),
  constraint posts_milestone check ((kind = 'milestone') = (milestone is not null)),
  constraint posts_say_something check (kind <> 'post' or btrim(body) <> '' or media is not null or game_id is not null)
);
create index posts_latest_idx on public.posts (created_at desc, id desc);
create index posts_author_id_idx on public.posts (author_id, created_at desc);
create index posts_team_id_idx on public.posts (team_id, created_at desc);
create index posts_game_id_idx on public.posts (game_id);
create unique index posts_result_key on public.posts (game_id) where kind = 'result';
create unique index posts_milestone_key on public.posts (game_id, author_id, milestone) where kind = 'milestone';

create table public.post_likes (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
create index post_likes_user_id_idx on public.post_likes (user_id);

create table public.post_comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  body text not null check (char_length(btrim(body)) between 1 and 1000),
  state text not null default 'shown' check (state in ('shown', 'held', 'removed')),
  removal_reason text check (char_length(removal_reason) <= 1000),
  reviewed_at timestamptz,
  child_until date not null default '-infinity',
  created_at timestamptz not null default now()
);
create index post_comments_post_id_idx on public.post_comments (post_id, created_at desc);
create index post_comments_author_id_idx on public.post_comments (author_id, created_at desc);

-- The people whose posts and comments the caller does not see: the suspended, whom the caller has blocked, and who has
-- blocked the caller.
create function private.unseen_people() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select s.user_id from public.suspensions as s where s.lifted_at is null
  union select b.blocked_id from public.blocks as b where b.blocker_id = (select auth.uid())
  union select b.blocker_id from public.blocks as b where b.blocked_id = (select auth.uid())
$$;
revoke all on function private.unseen_people() from public;
grant execute on function private.unseen_people() to authenticated;

create function private.followed_people() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select f.followed_id from public.follows as f where f.follower_id = (select auth.uid()) and not f.muted $$;
revoke all on function private.followed_people() from public;
grant execute on function private.followed_people() to authenticated;

create function private.verified_coaches() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select c.user_id
  from public.coaches as c join public.users as u on u.id = c.user_id and u.role = 'coach'
  where c.verified_at is not null and not private.is_minor(c.user_id)
$$;
revoke all on function private.verified_coaches() from public;

-- The people whose posts to the public and whose comments a minor reads: verified coaches, the guardians, and the other minors of
-- the team. A minor who follows somebody reads that person's posts, too.
create function private.familiar_people() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select c.id from private.verified_coaches() as c (id)
  union
  select g.guardian_id from public.guardianships as g where g.ward_id = (select auth.uid()) and g.status = 'accepted'
  union
  select them.user_id
  from public.team_members as me
  join public.team_members as them on them.team_id = me.team_id and them.role = 'player' and them.status = 'active'
  where me.user_id = (select auth.uid()) and me.role = 'player' and me.status = 'active' and private.is_minor(them.user_id)
$$;
revoke all on function private.familiar_people() from public;
grant execute on function private.familiar_people() to authenticated;

-- The teams to which the caller posts: the player's own, and those that the caller coaches. Where a minor plays, the coach
-- has to be verified.
create function private.posting_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.team_id from public.team_members as m
  where m.user_id = (select auth.uid()) and m.role = 'player' and m.status = 'active'
  union
  select t.id from private.coached_teams() as t (id)
  where private.is_verified_coach() or not exists (
    select from public.team_members as m
    where m.team_id = t.id and m.role = 'player' and m.status = 'active' and private.is_minor(m.user_id))
$$;
revoke all on function private.posting_teams() from public;
grant execute on function private.posting_teams() to authenticated;

-- What users have reported, for admins: they read no other posts that are not for them.
create function private.reported_things(kind text) returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select r.subject_id::uuid from public.reports as r
  where private.is_admin() and r.subject_kind = kind and r.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;
revoke all on function private.reported_things(text) from public;
create function private.reported_posts() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select private.reported_things('post') $$;
revoke all on function private.reported_posts() from public;
grant execute on function private.reported_posts() to authenticated;
create function private.reported_comments() returns setof uuid
language sql stable security definer
set search_path = ''
as $$ select private.reported_things('comment') $$;
revoke all on function private.reported_comments() from public;
grant execute on function private.reported_comments() to authenticated;

alter table public.blocks enable row level security;
create policy "owners read" on public.blocks for select to authenticated using (blocker_id = (select auth.uid()));
create policy "owners block" on public.blocks for insert to authenticated with check (blocker_id = (select auth.uid()));
create policy "owners unblock" on public.blocks for delete to authenticated using (blocker_id = (select auth.uid()));

alter table public.posts enable row level security;
create policy "users read what is for them" on public.posts
  for select to authenticated
  using (
    author_id = (select auth.uid())
    or author_id in (select private.wards())
    or id in (select private.reported_posts())
    or (
      state = 'shown'
      and (author_id is null or author_id not in (select private.unseen_people()))
      and (game_id is null or exists (select from public.games as g where g.id = game_id))
      and (
        kind = 'result'
        -- The team also reads the posts of members whose profile is private, but not those of a child whom the guardian hides.
        or (visibility <> 'self' and team_id in (select private.own_teams())
          and (child_until <= (now() at time zone 'utc')::date or exists (select from public.profiles as p where p.id = author_id)))
        or (visibility in ('followers', 'public') and author_id in (select private.followed_people())
          and child_until <= (now() at time zone 'utc')::date
          and exists (select from public.profiles as p where p.id = author_id))
        or (visibility = 'public' and child_until <= (now() at time zone 'utc')::date
          and ((select private.is_adult()) or author_id in (select private.familiar_people()))
          and exists (select from public.profiles as p where p.id = author_id and p.public_profile))
      )
    )
  );
create policy "users post" on public.posts
  for insert to authenticated
  with check (
    author_id = (select auth.uid()) and kind = 'post'
    and (select private.may_publish())
    and (team_id is null or team_id in (select private.posting_teams()))
    and (game_id is null or exists (select from public.games as g where g.id = game_id))
  );
create policy "authors and guardians delete" on public.posts
  for delete to authenticated
  using (author_id = (select auth.uid()) or author_id in (select private.active_wards()));

alter table public.post_likes enable row level security;
-- Who likes a post is known to that user alone; everybody else reads the count.
create policy "owners read" on public.post_likes for select to authenticated using (user_id = (select auth.uid()));
create policy "users like what they see" on public.post_likes
  for insert to authenticated
  with check (
    user_id = (select auth.uid()) and (select private.may_publish())
    and exists (select from public.posts as p where p.id = post_id and p.state = 'shown')
  );
create policy "owners take it back" on public.post_likes for delete to authenticated using (user_id = (select auth.uid()));

alter table public.post_comments enable row level security;
create policy "users read what is for them" on public.post_comments
  for select to authenticated
  using (
    author_id = (select auth.uid())
    or author_id in (select private.wards())
    or id in (select private.reported_comments())
    or (
      state = 'shown'
      and author_id not in (select private.unseen_people())
      and ((select private.is_adult()) or author_id in (select private.familiar_people()))
      and (child_until <= (now() at time zone 'utc')::date or exists (select from public.profiles as p where p.id = author_id))
      and exists (select from public.posts as p where p.id = post_id)
    )
  );
create policy "users comment on what they see" on public.post_comments
  for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.may_publish())
    and exists (select from public.posts as p where p.id = post_id and p.state = 'shown')
  );
create policy "both authors and their guardians delete" on public.post_comments
  for delete to authenticated
  using (
    author_id = (select auth.uid())
    or author_id in (select private.active_wards())
    or exists (
      select from public.posts as p
      where p.id = post_id and (p.author_id = (select auth.uid()) or p.author_id in (select private.active_wards())))
  );

do $policies$
declare
  about text;
begin
  foreach about in array array['blocks', 'posts', 'post_likes', 'post_comments'] loop
    execute format($sql$
      create policy "not the suspended" on public.%1$I
        as restrictive for all to authenticated using (not (select private.is_suspended()));
      create policy "only the app itself" on public.%1$I
        as restrictive for all to authenticated
        using ((select private.is_own_app())) with check ((select private.is_own_app()));
      revoke all on table public.%1$I from anon, authenticated;
    $sql$, about);
  end loop;
end
$policies$;
grant select, delete on table public.blocks, public.post_likes to authenticated;
grant insert (blocker_id, blocked_id) on table public.blocks to authenticated;
grant insert (post_id, user_id) on table public.post_likes to authenticated;
grant select (id, kind, author_id, visibility, team_id, game_id, milestone, amount, body, media, media_width, media_height,
  media_alt, state, removal_reason, created_at), delete on table public.posts to authenticated;
grant insert (id, author_id, visibility, team_id, game_id, body, media, media_width, media_height, media_alt)
  on table public.posts to authenticated;
grant select (id, post_id, author_id, body, state, removal_reason, created_at), delete on table public.post_comments to authenticated;
grant insert (id, post_id, author_id, body) on table public.post_comments to authenticated;

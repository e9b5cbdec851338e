-- The timeline as a list, what games add to it, and its live messages. 20261123070600 moderates it.

-- The games in whose lineups somebody plays whom the caller follows.
create function private.followed_games() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct l.game_id
  from private.followed_people() as f (id)
  join public.profiles as p on p.id = f.id and p.public_profile and p.shown_from <= private.today()
  join public.athlete_identities as i on i.user_id = f.id
  join public.lineups as l on l.athlete_id = i.athlete_id
$$;
revoke all on function private.followed_games() from public;
grant execute on function private.followed_games() to authenticated;

-- How many users like a post, without the suspended.
create function private.likes_of(post uuid) returns integer
language sql stable security definer
set search_path = ''
as $$
  select count(*)::integer from public.post_likes as l
  where l.post_id = likes_of.post
    and not exists (select from public.suspensions as s where s.user_id = l.user_id and s.lifted_at is null)
$$;
revoke all on function private.likes_of(uuid) from public;
grant execute on function private.likes_of(uuid) to authenticated;

-- Posts, the latest first, 20 at a time. The policies decide what the caller reads.
-- scope: all, following, team or mine. before_at and before_id: the last post of the page before. only_id: that post alone.
create function public.timeline(scope text default 'all', before_at timestamptz default null, before_id uuid default null,
  only_id uuid default null)
returns table (id uuid, kind text, created_at timestamptz, visibility text, state text, removal_reason text, body text,
  milestone text, amount smallint, media text, media_width smallint, media_height smallint, media_alt text,
  author_id uuid, author_name text, author_photo text, author_role text, team_id uuid, team_name text, game jsonb,
  likes integer, liked boolean, comments integer, comment_refusal text)
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
revoke all on function public.timeline(text, timestamptz, uuid, uuid) from public, anon, authenticated;
grant execute on function public.timeline(text, timestamptz, uuid, uuid) to authenticated;

-- The milestones of a final game: whose, which, and how much.
create function private.milestones_of(game uuid) returns table (user_id uuid, milestone text, amount smallint)
language sql stable
set search_path = ''
as $$
  with batting as (
    select i.user_id as person, l.* from public.player_game_batting as l
    join public.athlete_identities as i on i.athlete_id = l.athlete_id and i.user_id is not null
    where l.game_id = milestones_of.game
  ), pitching as (
    select i.user_id as person, l.* from public.player_game_pitching as l
    join public.athlete_identities as i on i.athlete_id = l.athlete_id and i.user_id is not null
    where l.game_id = milestones_of.game
  ), earlier as (
    select o.id from public.games as o join public.games as this on this.id = milestones_of.game
    where o.status = 'final' and (o.played_on, o.number, o.id) < (this.played_on, this.number, this.id)
  )
  select b.person, 'first_home_run', null::smallint from batting as b
  where b.hr > 0 and not exists (
    select from public.player_game_batting as o join earlier as g on g.id = o.game_id
    where o.athlete_id = b.athlete_id and o.hr > 0)
  union all select b.person, 'home_runs', b.hr from batting as b where b.hr >= 2
  union all select b.person, 'cycle', null from batting as b
    where b.hr > 0 and b.triples > 0 and b.doubles > 0 and b.h > b.hr + b.triples + b.doubles
  union all select b.person, 'hits', b.h from batting as b where b.h >= 4
  union all select b.person, 'rbi', b.rbi from batting as b where b.rbi >= 5
  union all select p.person, 'first_win', null from pitching as p
  where p.w > 0 and not exists (
    select from public.player_game_pitching as o join earlier as g on g.id = o.game_id
    where o.athlete_id = p.athlete_id and o.w > 0)
  union all select p.person, 'strikeouts', p.so from pitching as p where p.so >= 10
  union all select p.person, 'shutout', null from pitching as p where p.sho > 0
$$;
revoke all on function private.milestones_of(uuid) from public;

-- Milestones that the player or a guardian has deleted, so that a correction of the game does not bring them back.
create table private.declined_milestones (
  game_id uuid not null references public.games (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  milestone text not null,
  primary key (game_id, user_id, milestone)
);
create index declined_milestones_user_id_idx on private.declined_milestones (user_id);

create function private.decline_milestone() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.declined_milestones (game_id, user_id, milestone) values (old.game_id, old.author_id, old.milestone)
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.decline_milestone() from public;
-- Not when the game or the account goes.
create trigger decline_milestone after delete on public.posts
  for each row when (old.kind = 'milestone' and pg_trigger_depth() = 0) execute function private.decline_milestone();

-- A team's final game is a result on the timeline, with the milestones of its players. Children's stay in the team. Games of
-- archives are none.
create function private.tell_of_game() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.status <> 'final' then
    delete from public.posts as p where p.game_id = new.id and p.kind in ('result', 'milestone');
    return null;
  end if;
  insert into public.posts (kind, author_id, visibility, team_id, game_id)
  values ('result', null, 'public', new.owner_team_id, new.id)
  on conflict (game_id) where kind = 'result' do nothing;
  delete from public.posts as p
  where p.game_id = new.id and p.kind = 'milestone'
    and not exists (
      select from private.milestones_of(new.id) as m where m.user_id = p.author_id and m.milestone = p.milestone);
  insert into public.posts (kind, author_id, visibility, team_id, game_id, milestone, amount)
  select 'milestone', m.user_id, case when private.age(m.user_id) >= 13 then 'public' else 'team' end, new.owner_team_id,
    new.id, m.milestone, m.amount
  from private.milestones_of(new.id) as m
  where not exists (
    select from private.declined_milestones as d
    where d.game_id = new.id and d.user_id = m.user_id and d.milestone = m.milestone)
  on conflict (game_id, author_id, milestone) where kind = 'milestone' do update set amount = excluded.amount;
  return null;
end
$$;
revoke all on function private.tell_of_game() from public;
create trigger tell_of_game after update of status, revision on public.games
  for each row when (new.owner_team_id is not null and 'final' in (old.status, new.status))
  execute function private.tell_of_game();

-- The private channel "timeline": users hear that there is a post, by its id. What it says they ask for, so that the
-- policies decide who reads it. Nobody may send to it.
create policy "users join the timeline" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast' and topic = 'timeline'
    and not (select private.is_suspended()) and (select private.is_own_app())
  );

-- A failure is only a warning, so that it never fails the change it is about.
create function private.tell_timeline() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- What seeds and operators write is told to nobody.
  if auth.uid() is not null then
    perform realtime.send(jsonb_build_object('id', coalesce(new.id, old.id), 'gone', tg_op = 'DELETE' or new.state <> 'shown'),
      'post', 'timeline', true);
  end if;
  return null;
exception
  when others then
    raise warning 'The timeline was not told: %', sqlerrm;
    return null;
end
$$;
revoke all on function private.tell_timeline() from public;
create trigger tell_timeline after insert on public.posts
  for each row when (new.visibility <> 'self') execute function private.tell_timeline();
create trigger tell_timeline_of_changes after update of state on public.posts
  for each row when (old.state <> new.state) execute function private.tell_timeline();
create trigger tell_timeline_of_ends after delete on public.posts
  for each row when (old.visibility <> 'self') execute function private.tell_timeline();

-- What the page asks before it offers to write: to whom the caller may post, and whether with a picture.
create function public.posting_rights()
returns table (age_known boolean, under_13 boolean, is_public boolean, files boolean, teams jsonb)
language sql stable security definer
set search_path = ''
as $$
  select private.age(auth.uid()) is not null,
    coalesce(private.age(auth.uid()) < 13, false),
    exists (select from public.profiles as p where p.id = auth.uid() and p.public_profile and p.shown_from <= private.today()),
    auth.uid() in (select private.kept_people()),
    (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name), '[]')
     from public.teams as t where t.active and t.id in (select private.posting_teams()))
  where private.is_own_app() and not private.is_suspended() and private.may_publish(auth.uid())
$$;
revoke all on function public.posting_rights() from public, anon, authenticated;
grant execute on function public.posting_rights() to authenticated;

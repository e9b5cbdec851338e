-- Makes quick what every page of the timeline and Home asks for.

-- As in 20261121130300 and 20261124060100, by the index of the user: "user_id = … or user_id in (select …)" reads all members of
-- all teams.
create or replace function private.own_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.team_id from public.team_members as m
  where m.status = 'active' and m.user_id = any (array(select auth.uid() union select private.wards()))
$$;

create or replace function private.trusted_teams() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select m.team_id from public.team_members as m
  where m.status = 'active' and m.user_id = any (array(select private.wards()))
  union
  select m.team_id from public.team_members as m
  where m.status = 'active' and m.user_id = (select auth.uid()) and (m.role <> 'coach' or (select private.is_verified_coach()))
$$;

-- The order in which private.home_discover() reads: numbers that were verified together, as those of an event are, are not sorted.
create index measurements_verified_idx on public.measurements (verified_at desc, player_id, kind) where verified_at is not null;
drop index public.measurements_verified_at_idx;

-- The articles of a tag.
create index articles_tags_idx on public.articles using gin (tags) where status = 'published';

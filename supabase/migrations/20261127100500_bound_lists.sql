-- Limits for the private lists of a person.

create function private.list_limit(list text) returns integer
language sql immutable
set search_path = ''
as $$
  select case list when 'follows' then 2000 when 'watchlists' then 50 when 'watchlist_players' then 500 when 'scout_notes' then 5000 end
$$;
revoke all on function private.list_limit(text) from public;

-- Rows of others are left to the policies, so that the refusal tells nothing about their lists. A row that is there already does
-- not count, so that inserting it again fails as it does in a list with room.
create function private.limit_list() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  most constant integer := private.list_limit(tg_table_name);
  held bigint;
begin
  -- Concurrent inserts by one person count each other.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('list ', tg_table_name, ' ', uid), 0));
  if tg_table_name = 'follows' then
    select count(*) into held from public.follows as f where f.follower_id = uid and f.followed_id <> new.followed_id;
  elsif tg_table_name = 'watchlists' then
    select count(*) into held from public.watchlists as w where w.owner_id = uid and w.name <> new.name;
  elsif tg_table_name = 'watchlist_players' then
    select count(*) into held from public.watchlist_players as p join public.watchlists as w on w.id = p.watchlist_id
    where p.watchlist_id = new.watchlist_id and w.owner_id = uid and p.player_id <> new.player_id;
  else
    select count(*) into held from public.scout_notes as n where n.scout_id = uid;
  end if;
  if held >= most then
    raise exception '%', format(case tg_table_name
      when 'follows' then 'You follow %s people.'
      when 'watchlists' then 'You have %s lists.'
      when 'watchlist_players' then 'This list has %s players.'
      else 'You have written %s notes.' end, to_char(most, 'FM999,999'))
    using errcode = 'PT409', hint = case tg_table_name
      when 'follows' then 'Unfollow somebody first.'
      when 'watchlists' then 'Delete one that you no longer need.'
      when 'watchlist_players' then 'Take somebody off it, or make another list.'
      else 'Delete some that you no longer need.' end;
  end if;
  return new;
end
$$;
revoke all on function private.limit_list() from public;
create trigger limit_list before insert on public.follows
  for each row when (new.follower_id = auth.uid()) execute function private.limit_list();
create trigger limit_list before insert on public.watchlists
  for each row when (new.owner_id = auth.uid()) execute function private.limit_list();
create trigger limit_list before insert on public.watchlist_players
  for each row when (auth.uid() is not null) execute function private.limit_list();
create trigger limit_list before insert on public.scout_notes
  for each row when (new.scout_id = auth.uid()) execute function private.limit_list();

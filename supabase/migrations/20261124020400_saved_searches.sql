-- Saved searches. Each runs once a day, and notifies its owner by bell and mail of the number of players that it did not find before.

create table public.saved_searches (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null check (char_length(name) <= 80 and btrim(name) <> '' and name !~ '[[:cntrl:]]'),
  -- The arguments of search_players().
  query text not null default '' check (char_length(query) <= 100),
  filters jsonb not null default '{}' check (jsonb_typeof(filters) = 'object' and octet_length(filters::text) <= 2000),
  notify boolean not null default true,
  created_at timestamptz not null default now(),
  -- When it last ran; null before the first time.
  checked_at timestamptz,
  -- Whether private.search_matches has all players that the last run found. If not, the next run cannot tell which ones are new.
  remembered boolean not null default false,
  constraint saved_searches_name_key unique (owner_id, name)
);
create index saved_searches_due_idx on public.saved_searches (checked_at nulls first) where notify;

-- The players that a search has found. Rows of players who are hidden since then stay, so that no notification is sent when they
-- are shown again.
create table private.search_matches (
  search_id uuid not null references public.saved_searches (id) on delete cascade,
  player_id uuid not null references public.profiles (id) on delete cascade,
  primary key (search_id, player_id)
);
create index search_matches_player_id_idx on private.search_matches (player_id);

alter table public.saved_searches enable row level security;
create policy "owners read" on public.saved_searches for select to authenticated using (owner_id = (select auth.uid()));
create policy "owners insert" on public.saved_searches for insert to authenticated with check (owner_id = (select auth.uid()));
create policy "owners update" on public.saved_searches for update to authenticated using (owner_id = (select auth.uid()));
create policy "owners delete" on public.saved_searches for delete to authenticated using (owner_id = (select auth.uid()));
create policy "not the suspended" on public.saved_searches
  as restrictive for all to authenticated using (not (select private.is_suspended()));
create policy "only the app itself" on public.saved_searches
  as restrictive for all to authenticated
  using ((select private.is_own_app())) with check ((select private.is_own_app()));
revoke all on table public.saved_searches from anon, authenticated;
grant select (id, owner_id, name, query, filters, notify, created_at), delete on table public.saved_searches to authenticated;
grant insert (id, owner_id, name, query, filters, notify), update (name, notify) on table public.saved_searches to authenticated;
insert into private.exported (name, owner) values ('saved_searches', 'owner_id');

-- The players that a search finds today, at most "most" of them.
create function private.search_finds(query text, filters jsonb, most integer) returns uuid[]
language sql stable
set search_path = ''
as $$ select private.find_some(private.search_condition(search_finds.filters), private.typed(search_finds.query), search_finds.most) $$;
revoke all on function private.search_finds(text, jsonb, integer) from public;

-- Runs a search and records the players that it finds. Returns the number of new ones; null if that is unknown, because it is the
-- first run, or because this or the last run found more players than are recorded.
create function private.remember_matches(search public.saved_searches) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  -- search_players() counts no further, either.
  most constant integer := 1000;
  found_now constant uuid[] := private.search_finds(search.query, search.filters, most + 1);
  complete constant boolean := cardinality(found_now) <= most;
  fresh bigint;
begin
  insert into private.search_matches (search_id, player_id)
  select search.id, p.id from public.profiles as p where p.id = any (found_now) and p.id <> search.owner_id
  on conflict do nothing;
  get diagnostics fresh = row_count;
  update public.saved_searches as s set checked_at = now(), remembered = complete where s.id = search.id;
  return case when search.remembered and complete then fresh end;
end
$$;
revoke all on function private.remember_matches(public.saved_searches) from public;

create function private.check_saved_search() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  most constant integer := 20;
begin
  if private.typed(new.query) is null and new.filters = '{}' then
    raise exception 'Save a search with a name or a filter.' using errcode = 'PT400';
  end if;
  -- Raises an error if a filter is not valid.
  perform private.search_finds(new.query, new.filters, 1);
  -- Serializes inserts of one owner, so that each counts the rows of the others.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('saved searches ' || new.owner_id, 0));
  if (select count(*) from public.saved_searches as s where s.owner_id = new.owner_id) >= most then
    raise exception '% saved searches are enough.', most using errcode = 'PT409', hint = 'Remove one first.';
  end if;
  return new;
end
$$;
revoke all on function private.check_saved_search() from public;
create trigger check_saved_search before insert on public.saved_searches for each row execute function private.check_saved_search();

-- Records the matches of a new search, so that they do not count as new later.
create function private.on_saved_search() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.remember_matches(new);
  return null;
end
$$;
revoke all on function private.on_saved_search() from public;
create trigger on_saved_search after insert on public.saved_searches for each row execute function private.on_saved_search();

-- Dugout's own cluster has dugout_mail. Elsewhere no mails are sent.
do $$
begin
  if exists (select from pg_available_extensions where name = 'dugout_mail') then
    create extension if not exists dugout_mail;
  end if;
end
$$;

-- Mails an owner one line for each search with new players, unless the settings switch these mails off.
create function private.mail_matches(owner_id uuid, lines text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  if to_regprocedure('mail.send(uuid,text,text,text,text)') is null or exists (
    select from public.notification_preferences as p
    where p.user_id = mail_matches.owner_id and p.topic = 'recruiting' and p.channel = 'email' and not p.enabled)
  then
    return;
  end if;
  begin
    execute 'select mail.send($1, $2, $3, $4, $5)'
    using mail_matches.owner_id, 'New players in your saved searches',
      array_to_string(mail_matches.lines, E'\n') || E'\n\nTo stop these mails, open Settings, Notification settings, Recruiting.',
      '/search', 'Open search';
  exception
    when others then
      -- One mail that cannot be queued must not undo the run.
      raise warning 'A mail about saved searches was not queued: %', sqlerrm;
  end;
end
$$;
revoke all on function private.mail_matches(uuid, text[]) from public;

-- Runs at most "most" of the searches that are due, and notifies their owners. Returns the number of notifications. A call while
-- another one runs does nothing.
create function private.run_saved_searches(most integer default 500) returns integer
language plpgsql
set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  search public.saved_searches;
  fresh bigint;
  notified integer := 0;
  -- The lines of each owner's mail.
  mails jsonb := '{}';
begin
  if not pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended('run saved searches', 0)) then
    return 0;
  end if;
  for search in
    select s.* from public.saved_searches as s
    where s.notify and coalesce(s.checked_at, '-infinity') <= now() - interval '1 day'
      and not exists (select from public.suspensions as x where x.user_id = s.owner_id and x.lifted_at is null)
    order by s.checked_at nulls first limit most for update skip locked
  loop
    begin
      fresh := private.remember_matches(search);
    exception
      when others then
        -- A search that fails must not block the others.
        raise warning 'A saved search could not be run: %', sqlerrm;
        fresh := null;
        update public.saved_searches as s set checked_at = now() where s.id = search.id;
    end;
    if fresh > 0 then
      -- Notifications are sent in a user's name, so act as the owner. The notification has the number of players only: the names
      -- of players who hide their profile later must not stay in it.
      perform set_config('request.jwt.claims', jsonb_build_object('sub', search.owner_id, 'role', 'authenticated')::text, true);
      perform private.notify_user(search.owner_id, 'recruiting', 'search_matched', search.id::text || ' ' || private.today()::text,
        jsonb_build_object('players', fresh));
      mails := jsonb_set(mails, array[search.owner_id::text], coalesce(mails -> search.owner_id::text, '[]')
        || to_jsonb(format('%s: %s', search.name, case fresh when 1 then '1 new player' else fresh || ' new players' end)));
      notified := notified + 1;
    end if;
  end loop;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
  perform private.mail_matches(m.owner::uuid, array(select jsonb_array_elements_text(m.lines))) from jsonb_each(mails) as m (owner, lines);
  return notified;
end
$$;
revoke all on function private.run_saved_searches(integer) from public;

-- Runs every hour if the cluster has pg_cron, as Dugout's own does. Elsewhere the operator must call the function.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule('saved searches', '17 * * * *', 'select private.run_saved_searches()');
  end if;
end
$$;

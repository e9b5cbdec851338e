-- The export of a user's data in parts: a further table needs only a row in private.exported.

-- The tables in public whose rows belong to a user.
create table private.exported (
  name text primary key,
  -- The column with the user's id or, if of_athlete, with the id of the athlete who the user is.
  owner text not null,
  of_athlete boolean not null default false
);
-- The list is in the function, which several migrations have added to.
insert into private.exported (name, owner)
select found[1], found[2]
from regexp_matches(pg_get_functiondef('public.export_my_data(uuid)'::regprocedure), '\(''(\w+)'', ''(id|\w+_id)''\)', 'g') as found;
insert into private.exported (name, owner, of_athlete) values
  ('rosters', 'athlete_id', true), ('lineups', 'athlete_id', true), ('player_game_batting', 'athlete_id', true),
  ('player_game_pitching', 'athlete_id', true), ('player_game_fielding', 'athlete_id', true),
  ('player_season_batting', 'athlete_id', true), ('player_season_pitching', 'athlete_id', true),
  ('player_season_fielding', 'athlete_id', true);

create function private.export_tables(person uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  kept private.exported;
  rows jsonb;
  everything jsonb := '{}';
begin
  for kept in select * from private.exported order by name loop
    -- What a minor tells us of others, perhaps of the guardian, the guardian does not read.
    continue when person <> auth.uid() and kept.name in ('reports', 'contact_messages');
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I as t where t.%I %s', kept.name, kept.owner,
      case when kept.of_athlete then 'in (select i.athlete_id from public.athlete_identities as i where i.user_id = $1)'
        else '= $1' end) into rows using person;
    if person <> auth.uid() and kept.name = 'guardianships' then
      -- Nor whom else the minor has asked.
      select coalesce(jsonb_agg(case when g ->> 'guardian_id' = auth.uid()::text then g else g - 'invited_email' end), '[]')
      into rows from jsonb_array_elements(rows) as g;
    end if;
    everything := everything || jsonb_build_object(kept.name, rows);
  end loop;
  return everything;
end
$$;
revoke all on function private.export_tables(uuid) from public;

-- What the auth service keeps.
create function private.export_account(person uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'account', (
      select jsonb_build_object('id', a.id, 'email', a.email, 'phone', a.phone, 'created_at', a.created_at,
        'last_sign_in_at', a.last_sign_in_at, 'metadata', a.raw_user_meta_data)
      from auth.users as a where a.id = person),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_used_at', s.updated_at,
        'user_agent', s.user_agent, 'ip', host(s.ip))), '[]')
      from auth.sessions as s where s.user_id = person),
    'identities', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
        'created_at', i.created_at)), '[]')
      from auth.identities as i where i.user_id = person),
    'second_factors', (
      select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
        'created_at', f.created_at)), '[]')
      from auth.mfa_factors as f where f.user_id = person))
$$;
revoke all on function private.export_account(uuid) from public;

-- The photos and videos; the files themselves are downloaded from the profile.
create function private.export_files(person uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name, 'size', o.metadata -> 'size',
    'type', o.metadata -> 'mimetype', 'created_at', o.created_at) order by o.bucket_id, o.name), '[]')
  from storage.objects as o
  where o.bucket_id in ('profile-photos', 'profile-videos')
    -- In the order of the index: "0" follows "/".
    and o.name collate "C" > person::text || '/' and o.name collate "C" < person::text || '0'
$$;
revoke all on function private.export_files(uuid) from public;

create or replace function public.export_my_data(ward_id uuid default null) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.account_of(ward_id);
begin
  return private.export_account(person) || private.export_tables(person) || jsonb_build_object(
    'files', private.export_files(person),
    'watchlist_players', (
      select coalesce(jsonb_agg(to_jsonb(wp)), '[]')
      from public.watchlist_players as wp join public.watchlists as w on w.id = wp.watchlist_id
      where w.owner_id = person),
    'referral_conversions', (
      select coalesce(jsonb_agg(to_jsonb(c)), '[]') from private.referral_conversions as c where c.user_id = person),
    'guardian_of', (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from public.guardianships as g where g.guardian_id = person),
    'exported_at', now());
end
$$;

-- Invitations are matched to accounts by address.
create index users_lower_email_idx on public.users (lower(email));

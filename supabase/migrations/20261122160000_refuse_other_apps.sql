-- Another app that a user signed in to with this account (the OAuth server of [auth.oauth_server]) knows who the user is, as far
-- as the scopes allow, from the userinfo endpoint. Its access token carries the claim client_id. With it the app reads and
-- writes no row of the user here.
create function private.is_own_app() returns boolean
language sql stable
set search_path = ''
as $$ select auth.jwt() ->> 'client_id' is null $$;
revoke all on function private.is_own_app() from public;
grant execute on function private.is_own_app() to authenticated;

-- A test fails for a table without this policy.
do $$
declare
  relation regclass;
begin
  for relation in
    select c.oid from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
  loop
    execute format('create policy "only the app itself" on %s as restrictive for all to authenticated '
      'using ((select private.is_own_app())) with check ((select private.is_own_app()))', relation);
  end loop;
end
$$;

create or replace function private.caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
begin
  if not exists (select from public.users where id = uid) then
    raise exception 'Sign in first.' using errcode = 'PT401';
  end if;
  if not private.is_own_app() then
    raise exception 'This app may only know who you are.' using errcode = '42501',
      hint = 'Open Dugout itself to see or change your data.';
  end if;
  if private.is_suspended() then
    raise exception 'Your account is suspended.' using errcode = '42501',
      hint = 'Settings says why. You can still export your data, delete the account, or write to us.';
  end if;
  return uid;
end
$$;

-- The functions that do not call private.caller() and read as their owner.
create or replace function private.wards() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select g.ward_id
  from public.guardianships as g
  where g.guardian_id = (select auth.uid()) and g.status = 'accepted'
    and private.is_minor(g.ward_id) and not (select private.is_minor((select auth.uid())))
    and not (select private.is_suspended()) and (select private.is_own_app())
$$;

create or replace function public.my_sessions()
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text, aal text, is_current boolean)
language sql stable security definer
set search_path = ''
as $$
  select s.id, s.created_at, greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'utc'), s.user_agent,
    host(s.ip), s.aal::text, s.id = (auth.jwt() ->> 'session_id')::uuid
  from auth.sessions as s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and private.is_own_app()
  order by 7 desc nulls last, 3 desc
$$;

create or replace function private.seen_besides() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select seen from (
    select auth.uid() where auth.uid() is not null
    union select private.wards() union select private.coached_players() union select private.open_children()
    union select private.opened_child()) as besides (seen)
  where private.is_own_app()
$$;

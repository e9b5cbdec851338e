-- What users do with their own account: list and end sessions, export the data, delete the account. Actions that cannot
-- be undone, or that would help a thief at an open browser, require a recent sign-in. Open to suspended users.

-- When the caller's session last proved its user: by a password, code, passkey or second factor. A refresh proves
-- nothing. Neither does a factor enrolled in this session, because a thief at an open browser can enrol one. Sessions
-- of OAuth clients never count, because no user is present in them.
create function private.proven_at() returns timestamptz
language sql stable
set search_path = ''
as $$
  select greatest(s.created_at, (
    select max(c.updated_at) from auth.mfa_amr_claims as c
    where c.session_id = s.id
      and (s.factor_id is null or exists (
        select from auth.mfa_factors as f where f.id = s.factor_id and f.created_at < s.created_at))))
  from auth.sessions as s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid() and s.oauth_client_id is null
$$;
revoke all on function private.proven_at() from public;

create function public.is_sign_in_recent() returns boolean
language sql stable security definer
set search_path = ''
as $$ select coalesce(private.proven_at() > now() - interval '10 minutes', false) $$;
revoke all on function public.is_sign_in_recent() from public, anon, authenticated;
grant execute on function public.is_sign_in_recent() to authenticated;

create function private.recent_caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  if not public.is_sign_in_recent() then
    raise exception 'For this, sign in again first.' using errcode = '28000',
      hint = 'Your last sign-in here is more than ten minutes ago.';
  end if;
  return auth.uid();
end
$$;
revoke all on function private.recent_caller() from public;

create function public.my_sessions()
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text, aal text, is_current boolean)
language sql stable security definer
set search_path = ''
as $$
  select s.id, s.created_at, greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'utc'), s.user_agent,
    host(s.ip), s.aal::text, s.id = (auth.jwt() ->> 'session_id')::uuid
  from auth.sessions as s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by 7 desc nulls last, 3 desc
$$;
revoke all on function public.my_sessions() from public, anon, authenticated;
grant execute on function public.my_sessions() to authenticated;

create function public.sign_out_session(session_id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.recent_caller();
begin
  delete from auth.sessions as s where s.id = sign_out_session.session_id and s.user_id = uid;
  if not found then
    raise exception 'There is no such session any more.' using errcode = 'PT404';
  end if;
end
$$;
revoke all on function public.sign_out_session(uuid) from public, anon, authenticated;
grant execute on function public.sign_out_session(uuid) to authenticated;

-- The account in question: the caller's, or that of a minor whose guardian the caller is.
create function private.account_of(ward_id uuid) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := private.recent_caller();
begin
  if ward_id is null or ward_id = uid then
    return uid;
  end if;
  perform private.guardian_of(ward_id);
  return ward_id;
end
$$;
revoke all on function private.account_of(uuid) from public;

-- Everything stored about a user, by table.
create function public.export_my_data(ward_id uuid default null) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.account_of(ward_id);
  kept record;
  rows jsonb;
  everything jsonb;
begin
  select jsonb_build_object('account', jsonb_build_object('id', a.id, 'email', a.email, 'phone', a.phone,
      'created_at', a.created_at, 'last_sign_in_at', a.last_sign_in_at, 'metadata', a.raw_user_meta_data))
  into everything from auth.users as a where a.id = person;
  for kept in
    select * from (values
      ('users', 'id'), ('profiles', 'id'), ('birth_dates', 'user_id'), ('guardianships', 'ward_id'), ('players', 'user_id'),
      ('coaches', 'user_id'), ('scouts', 'user_id'), ('measurements', 'player_id'), ('batting_lines', 'player_id'),
      ('pitching_lines', 'player_id'), ('videos', 'player_id'), ('commitments', 'player_id'), ('player_numbers', 'player_id'),
      ('follows', 'follower_id'), ('team_members', 'user_id'), ('scout_notes', 'scout_id'), ('watchlists', 'owner_id'),
      ('notification_preferences', 'user_id'), ('memberships', 'user_id'), ('token_ledger', 'user_id'),
      ('referral_codes', 'owner_id'), ('referral_analytics', 'converted_user_id'), ('page_views', 'user_id'),
      ('user_sessions', 'user_id'), ('contact_messages', 'user_id'), ('reports', 'reporter_id'), ('suspensions', 'user_id')
    ) as kept (name, owner)
  loop
    -- What a minor tells us of others, perhaps of the guardian, the guardian does not read.
    continue when person <> auth.uid() and kept.name in ('reports', 'contact_messages');
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I as t where t.%I = $1',
      kept.name, kept.owner) into rows using person;
    if person <> auth.uid() and kept.name = 'guardianships' then
      -- Nor whom else the minor has asked.
      select coalesce(jsonb_agg(case when g ->> 'guardian_id' = auth.uid()::text then g else g - 'invited_email' end), '[]')
      into rows from jsonb_array_elements(rows) as g;
    end if;
    everything := everything || jsonb_build_object(kept.name, rows);
  end loop;
  return everything || jsonb_build_object(
    'watchlist_players', (
      select coalesce(jsonb_agg(to_jsonb(wp)), '[]')
      from public.watchlist_players as wp join public.watchlists as w on w.id = wp.watchlist_id
      where w.owner_id = person),
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
      from auth.mfa_factors as f where f.user_id = person),
    'referral_conversions', (
      select coalesce(jsonb_agg(to_jsonb(c)), '[]') from private.referral_conversions as c where c.user_id = person),
    'guardian_of', (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from public.guardianships as g where g.guardian_id = person),
    'exported_at', now());
end
$$;
revoke all on function public.export_my_data(uuid) from public, anon, authenticated;
grant execute on function public.export_my_data(uuid) to authenticated;

-- Deletes the account and everything that belongs to it, including the user's messages to us and the auth service's
-- audit entries. What remains is a line in the audit log, which names nobody, and the address hash of a suspended
-- account.
create function public.delete_account(ward_id uuid default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.account_of(ward_id);
begin
  if person <> auth.uid() then
    perform private.first_guardian_of(person);
  end if;
  perform private.audit('account_deleted', person::text);
  delete from public.contact_messages where user_id = person;
  delete from auth.audit_log_entries
  where payload ->> 'actor_id' = person::text or payload -> 'traits' ->> 'user_id' = person::text;
  delete from auth.users where id = person;
end
$$;
revoke all on function public.delete_account(uuid) from public, anon, authenticated;
grant execute on function public.delete_account(uuid) to authenticated;

-- A second factor protects what a password thief would do first: admin functions, the export, ending sessions, deleting
-- the account and deciding for a ward. Admin rights require a factor.

-- One function for all of these: 'none' without a verified factor, 'due' while this session has not shown one, 'shown'
-- at aal2. An OAuth client's token (claim client_id) never counts as shown.
create function private.second_factor() returns text
language sql stable security definer
set search_path = ''
as $$
  select case
    when not exists (select from auth.mfa_factors as f where f.user_id = (select auth.uid()) and f.status = 'verified') then 'none'
    when auth.jwt() ->> 'aal' = 'aal2' and auth.jwt() ->> 'client_id' is null then 'shown'
    else 'due'
  end
$$;
revoke all on function private.second_factor() from public;

-- The page recognises the code PT403 and asks for the factor.
create function private.require_second_factor() returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if private.second_factor() = 'due' then
    raise exception 'Enter the code of your second factor first.' using errcode = 'PT403',
      hint = 'Sign in again if you are not asked for it.';
  end if;
end
$$;
revoke all on function private.require_second_factor() from public;

create or replace function private.is_admin() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.users where id = (select auth.uid()) and is_admin)
    and not exists (select from public.suspensions where user_id = (select auth.uid()) and lifted_at is null)
    and private.second_factor() = 'shown'
$$;

create or replace function private.admin_caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  if private.is_admin() then
    return auth.uid();
  end if;
  if private.is_suspended() or not exists (select from public.users as u where u.id = auth.uid() and u.is_admin) then
    raise exception 'Only admins may do this.' using errcode = '42501';
  end if;
  perform private.require_second_factor();
  raise exception 'Admins need a second factor.' using errcode = 'PT403', hint = 'Add one, then try again.';
end
$$;

create or replace function private.recent_caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.require_second_factor();
  if not public.is_sign_in_recent() then
    raise exception 'For this, sign in again first.' using errcode = '28000',
      hint = 'Your last sign-in here is more than ten minutes ago.';
  end if;
  return auth.uid();
end
$$;

-- Also for a guardian's decisions about a minor.
create or replace function private.guardian_of(ward uuid) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  perform private.require_second_factor();
  if ward is null or ward not in (select private.wards()) then
    raise exception 'You are not the guardian of this account.' using errcode = '42501',
      hint = 'A guardianship ends at 18, or when it is revoked.';
  end if;
  return uid;
end
$$;

create or replace function public.revoke_guardianship(id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  ward uuid;
begin
  perform private.require_second_factor();
  update public.guardianships as g
  set status = 'revoked', ended_at = now()
  where g.id = revoke_guardianship.id
    and ((g.guardian_id = uid and g.status = 'accepted')
      or (g.ward_id = uid and (g.status = 'invited' or (g.status = 'accepted' and not private.is_minor(uid)))))
  returning g.ward_id into ward;
  if not found then
    raise exception 'This guardianship is not yours to end.' using errcode = '42501',
      hint = 'Ask your guardian to end it, or write to us.';
  end if;
  perform private.audit('guardianship_revoked', ward::text);
end
$$;

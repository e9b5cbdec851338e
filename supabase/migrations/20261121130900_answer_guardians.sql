-- Guardianships begin and end only through these functions. Policies derive a guardian's rights from private.wards():
-- reading all of a minor's profile and the birth date, and writing as the minor does.

create function public.profile_visibility() returns text
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  years constant integer := private.age(uid);
begin
  -- What the user cannot change comes before what the user has chosen.
  return case
    when private.is_suspended() then 'suspended'
    when years is null then 'birth_date_missing'
    when years < 13 and not private.has_guardian(uid) then 'guardian_missing'
    when not private.may_be_shown(uid) then 'hidden_by_guardian'
    when exists (select from public.users where id = uid and not public_profile) then 'private'
    else 'visible'
  end;
end
$$;
revoke all on function public.profile_visibility() from public, anon, authenticated;
grant execute on function public.profile_visibility() to authenticated;

create function public.invite_guardian(email text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  address constant text := lower(btrim(coalesce(email, '')));
  invitation uuid;
begin
  if not private.is_minor(uid) then
    raise exception 'You are an adult: nobody needs to answer for you.' using errcode = 'PT400';
  end if;
  if address !~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' or char_length(address) > 320 then
    raise exception 'That is not an e-mail address.' using errcode = 'PT400';
  end if;
  if exists (select from public.users as u where u.id = uid and lower(u.email) = address) then
    raise exception 'A guardian has an account of their own.' using errcode = 'PT400',
      hint = 'Give the address of a parent or guardian.';
  end if;
  -- One after the other, so that the count holds.
  perform from public.users where id = uid for update;
  if (select count(*) from public.guardianships where ward_id = uid and invited_at > now() - interval '1 day') >= 5 then
    raise exception 'Five invitations a day are enough.' using errcode = 'PT429', hint = 'Try again tomorrow.';
  end if;
  insert into public.guardianships (ward_id, invited_email) values (uid, address)
  on conflict (ward_id, lower(invited_email)) where status in ('invited', 'accepted') do nothing
  returning id into invitation;
  if invitation is null then
    select g.id into invitation from public.guardianships as g
    where g.ward_id = uid and lower(g.invited_email) = address and g.status in ('invited', 'accepted');
  end if;
  return invitation;
end
$$;
revoke all on function public.invite_guardian(text) from public, anon, authenticated;
grant execute on function public.invite_guardian(text) to authenticated;

-- The address counts only if its mailbox is proven; otherwise anyone could answer for a child. email_confirmed_at alone
-- is no proof, because without confirmations it is the time of signing up. Proof is a mail sent before the
-- confirmation, or a mailed code or link used since. A code by SMS has the method otp, too, and proves only a phone
-- number.
create function private.invited_caller(uid uuid) returns text
language sql stable
set search_path = ''
as $$
  select lower(a.email) from auth.users as a
  where a.id = uid and a.email_confirmed_at is not null and a.email <> ''
    and (a.email_confirmed_at >= a.confirmation_sent_at
      or exists (
        select from auth.sessions as s join auth.mfa_amr_claims as c on c.session_id = s.id
        where s.user_id = uid
          and (c.authentication_method in ('magiclink', 'recovery', 'invite', 'email_change', 'oauth', 'sso/saml')
            or (c.authentication_method = 'otp' and coalesce(a.phone, '') = ''))))
$$;
revoke all on function private.invited_caller(uuid) from public;

create function public.my_invitations()
returns table (id uuid, ward_id uuid, ward_name text, invited_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select g.id, g.ward_id, u.full_name, g.invited_at
  from public.guardianships as g join public.users as u on u.id = g.ward_id
  where g.status = 'invited' and g.ward_id <> auth.uid() and not private.is_suspended()
    and lower(g.invited_email) = private.invited_caller(auth.uid())
  order by g.invited_at
$$;
revoke all on function public.my_invitations() from public, anon, authenticated;
grant execute on function public.my_invitations() to authenticated;

create function public.answer_invitation(id uuid, accept boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  ward uuid;
begin
  select g.ward_id into ward from public.guardianships as g
  where g.id = answer_invitation.id and g.status = 'invited' and g.ward_id <> uid
    and lower(g.invited_email) = private.invited_caller(uid)
  for update;
  if not found then
    raise exception 'There is no such invitation for you.' using errcode = 'PT404',
      hint = 'It may have been withdrawn, or went to another address. If you never opened a link we mailed to yours, '
        'reset your password: that proves it.';
  end if;
  if accept and private.age(uid) is null then
    raise exception 'Tell us your birth date first.' using errcode = 'PT400', hint = 'A guardian is an adult.';
  end if;
  if accept and private.is_minor(uid) then
    raise exception 'A guardian is an adult.' using errcode = '42501';
  end if;
  update public.guardianships as g
  set status = case when accept then 'accepted' else 'declined' end,
      guardian_id = case when accept then uid end,
      answered_at = now(),
      ended_at = case when not accept then now() end
  where g.id = answer_invitation.id;
  perform private.audit(case when accept then 'guardianship_accepted' else 'guardianship_declined' end, ward::text);
end
$$;
revoke all on function public.answer_invitation(uuid, boolean) from public, anon, authenticated;
grant execute on function public.answer_invitation(uuid, boolean) to authenticated;

-- A guardian may revoke at any time. A minor may revoke only an invitation that nobody has accepted; otherwise a child
-- could remove a guardian with one click.
create function public.revoke_guardianship(id uuid) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  ward uuid;
begin
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
revoke all on function public.revoke_guardianship(uuid) from public, anon, authenticated;
grant execute on function public.revoke_guardianship(uuid) to authenticated;

-- The guardian who accepted first.
create function private.first_of(ward uuid) returns uuid
language sql stable
set search_path = ''
as $$
  select g.guardian_id from public.guardianships as g where g.ward_id = ward and g.status = 'accepted'
  order by g.answered_at nulls first, g.id limit 1
$$;
revoke all on function private.first_of(uuid) from public;

-- shown: whether others see the profile now; first: whether the caller is the guardian who accepted first; guardians:
-- their number.
create function public.my_wards()
returns table (guardianship_id uuid, ward_id uuid, full_name text, birth_date date, public_profile boolean,
  hides_profile boolean, until date, shown boolean, suspended boolean, "first" boolean, guardians integer)
language sql stable security definer
set search_path = ''
as $$
  select g.id, g.ward_id, u.full_name, b.birth_date, u.public_profile, g.hides_profile,
    private.birthday(b.birth_date, 18),
    u.public_profile and private.may_be_shown(g.ward_id),
    exists (select from public.suspensions as s where s.user_id = g.ward_id and s.lifted_at is null),
    g.guardian_id = private.first_of(g.ward_id),
    (select count(*)::integer from public.guardianships as o where o.ward_id = g.ward_id and o.status = 'accepted')
  from public.guardianships as g
  join public.users as u on u.id = g.ward_id
  left join public.birth_dates as b on b.user_id = g.ward_id
  where g.guardian_id = auth.uid() and g.status = 'accepted' and g.ward_id in (select private.wards())
  order by u.full_name, g.ward_id
$$;
revoke all on function public.my_wards() from public, anon, authenticated;
grant execute on function public.my_wards() to authenticated;

create function private.guardian_of(ward uuid) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  if ward is null or ward not in (select private.wards()) then
    raise exception 'You are not the guardian of this account.' using errcode = '42501',
      hint = 'A guardianship ends at 18, or when it is revoked.';
  end if;
  return uid;
end
$$;
revoke all on function private.guardian_of(uuid) from public;

-- A profile that a guardian hid stays hidden when the guardianship ends, until someone shows it.
create function private.stay_hidden() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.users set public_profile = false where id = old.ward_id;
  return null;
end
$$;
revoke all on function private.stay_hidden() from public;

create trigger stay_hidden_deleted
  after delete on public.guardianships
  for each row when (old.status = 'accepted' and old.hides_profile)
  execute function private.stay_hidden();
create trigger stay_hidden_ended
  after update of status on public.guardianships
  for each row when (old.status = 'accepted' and old.hides_profile and new.status <> 'accepted')
  execute function private.stay_hidden();

-- Only the guardian who accepted first may release a minor from guardians or delete the account: a child could accept a
-- second invitation with another account of its own.
create function private.first_guardian_of(ward uuid) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  uid constant uuid := private.guardian_of(ward);
begin
  if uid is distinct from private.first_of(ward) then
    raise exception 'Only the guardian who accepted first may do this.' using errcode = '42501',
      hint = 'Ask them, or write to us.';
  end if;
  return uid;
end
$$;
revoke all on function private.first_guardian_of(uuid) from public;

-- visible also overrides the minor's own choice; a minor cannot undo hidden.
create function public.set_ward_visibility(ward_id uuid, visible boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.guardian_of(ward_id);
begin
  update public.guardianships as g set hides_profile = not visible
  where g.ward_id = set_ward_visibility.ward_id and g.guardian_id = uid and g.status = 'accepted';
  update public.users set public_profile = visible where id = set_ward_visibility.ward_id;
  perform private.audit(case when visible then 'ward_shown' else 'ward_hidden' end, ward_id::text);
end
$$;
revoke all on function public.set_ward_visibility(uuid, boolean) from public, anon, authenticated;
grant execute on function public.set_ward_visibility(uuid, boolean) to authenticated;

create function public.correct_birth_date(ward_id uuid, birth_date date) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.first_guardian_of(ward_id);
begin
  if birth_date is null then
    raise exception 'Give the birth date.' using errcode = 'PT400';
  end if;
  insert into public.birth_dates as b (user_id, birth_date)
  values (correct_birth_date.ward_id, correct_birth_date.birth_date)
  on conflict (user_id) do update set birth_date = excluded.birth_date, answered_at = now();
  perform private.audit('birth_date_corrected', ward_id::text);
end
$$;
revoke all on function public.correct_birth_date(uuid, date) from public, anon, authenticated;
grant execute on function public.correct_birth_date(uuid, date) to authenticated;

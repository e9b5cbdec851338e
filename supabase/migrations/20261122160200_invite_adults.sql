-- The name in an invitation is a stranger's free text, so only adults read it. Before the birth date is known the name is
-- empty. Accepting makes a guardian, who decides for a child: a user with a second factor must have shown it.
create or replace function public.my_invitations()
returns table (id uuid, ward_id uuid, ward_name text, invited_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select g.id, g.ward_id, case when private.age(auth.uid()) is null then '' else u.full_name end, g.invited_at
  from public.guardianships as g join public.users as u on u.id = g.ward_id
  where g.status = 'invited' and g.ward_id <> auth.uid() and not private.is_suspended()
    and lower(g.invited_email) = private.invited_caller(auth.uid())
    and private.is_own_app() and (private.age(auth.uid()) is null or not private.is_minor(auth.uid()))
  order by g.invited_at
$$;

create or replace function public.answer_invitation(id uuid, accept boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  ward uuid;
begin
  perform private.require_second_factor();
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

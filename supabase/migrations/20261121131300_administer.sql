-- Actions of admins, each with a line in the audit log. Only `dugout admin grant` gives admin rights.

create function private.reason(given text) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  if char_length(btrim(coalesce(given, ''))) not between 3 and 1000 then
    raise exception 'Give a reason, in 3 to 1000 characters.' using errcode = 'PT400';
  end if;
  return btrim(given);
end
$$;
revoke all on function private.reason(text) from public;

create function private.require_user(user_id uuid) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if not exists (select from public.users as u where u.id = require_user.user_id) then
    raise exception 'There is no such user.' using errcode = 'PT404';
  end if;
end
$$;
revoke all on function private.require_user(uuid) from public;

-- Also ends the user's sessions: policies reject their tokens at once, and they cannot be refreshed.
create function public.admin_suspend_user(user_id uuid, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  perform private.require_user(user_id);
  if user_id = uid then
    raise exception 'You cannot suspend yourself.' using errcode = 'PT400';
  end if;
  update public.suspensions as s set reason = why where s.user_id = admin_suspend_user.user_id and s.lifted_at is null;
  if not found then
    insert into public.suspensions (user_id, reason, suspended_by) values (admin_suspend_user.user_id, why, uid);
  end if;
  delete from auth.sessions as s where s.user_id = admin_suspend_user.user_id;
  perform private.audit('user_suspended', user_id::text, why);
end
$$;
revoke all on function public.admin_suspend_user(uuid, text) from public, anon, authenticated;
grant execute on function public.admin_suspend_user(uuid, text) to authenticated;

create function public.admin_unsuspend_user(user_id uuid, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  update public.suspensions as s set lifted_by = uid, lifted_at = now()
  where s.user_id = admin_unsuspend_user.user_id and s.lifted_at is null;
  if not found then
    raise exception 'This user is not suspended.' using errcode = 'PT404';
  end if;
  perform private.audit('user_unsuspended', user_id::text, why);
end
$$;
revoke all on function public.admin_unsuspend_user(uuid, text) from public, anon, authenticated;
grant execute on function public.admin_unsuspend_user(uuid, text) to authenticated;

-- The trigger on users logs the old and new role; this line logs the reason.
create function public.admin_set_role(user_id uuid, role text, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  perform private.require_user(user_id);
  if role is null or role not in ('player', 'coach', 'scout', 'fan') then
    raise exception 'A role is player, coach, scout or fan.' using errcode = 'PT400';
  end if;
  update public.users as u set role = admin_set_role.role, user_type = admin_set_role.role where u.id = admin_set_role.user_id;
  perform private.audit('role_set', user_id::text, why, jsonb_build_object('to', role));
end
$$;
revoke all on function public.admin_set_role(uuid, text, text) from public, anon, authenticated;
grant execute on function public.admin_set_role(uuid, text, text) to authenticated;

create function public.admin_verify_scout(user_id uuid, verified boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
begin
  update public.scouts as s
  set verified_at = case when verified then now() end, verified_by = case when verified then uid end
  where s.user_id = admin_verify_scout.user_id;
  if not found then
    raise exception 'There is no such scout.' using errcode = 'PT404';
  end if;
  perform private.audit(case when verified then 'scout_verified' else 'scout_verification_withdrawn' end, user_id::text);
end
$$;
revoke all on function public.admin_verify_scout(uuid, boolean) from public, anon, authenticated;
grant execute on function public.admin_verify_scout(uuid, boolean) to authenticated;

create function public.admin_adjust_tokens(user_id uuid, amount integer, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  perform private.require_user(user_id);
  if amount is null or amount = 0 or abs(amount::bigint) > 100000 then
    raise exception 'An amount is between -100000 and 100000, and not 0.' using errcode = 'PT400';
  end if;
  if (select u.referral_tokens + amount < 0 from public.users as u where u.id = admin_adjust_tokens.user_id for update) then
    raise exception 'A balance does not go below 0.' using errcode = 'PT400';
  end if;
  insert into public.token_ledger (user_id, amount, reason)
  values (admin_adjust_tokens.user_id, admin_adjust_tokens.amount, 'admin_adjustment');
  perform private.audit('tokens_adjusted', user_id::text, why, jsonb_build_object('amount', amount));
end
$$;
revoke all on function public.admin_adjust_tokens(uuid, integer, text) from public, anon, authenticated;
grant execute on function public.admin_adjust_tokens(uuid, integer, text) to authenticated;

create function public.admin_set_membership(user_id uuid, tier text, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  perform private.require_user(user_id);
  if not exists (select from public.pricing_tiers as t where t.id = tier) then
    raise exception 'There is no such tier.' using errcode = 'PT400';
  end if;
  update public.memberships as m set tier = admin_set_membership.tier, since = now()
  where m.user_id = admin_set_membership.user_id;
  perform private.audit('membership_set', user_id::text, why, jsonb_build_object('tier', tier));
end
$$;
revoke all on function public.admin_set_membership(uuid, text, text) from public, anon, authenticated;
grant execute on function public.admin_set_membership(uuid, text, text) to authenticated;

-- For a mistyped date: the user answers again. Admins cannot read the date.
create function public.admin_clear_birth_date(user_id uuid, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
begin
  perform private.require_user(user_id);
  delete from public.birth_dates as b where b.user_id = admin_clear_birth_date.user_id;
  if not found then
    raise exception 'This user has not told a birth date.' using errcode = 'PT404';
  end if;
  perform private.audit('birth_date_cleared', user_id::text, why);
end
$$;
revoke all on function public.admin_clear_birth_date(uuid, text) from public, anon, authenticated;
grant execute on function public.admin_clear_birth_date(uuid, text) to authenticated;

create function public.admin_handle_report(report_id uuid, status text, resolution text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(resolution);
  subject uuid;
begin
  if status is null or status not in ('open', 'resolved', 'dismissed') then
    raise exception 'A report is open, resolved or dismissed.' using errcode = 'PT400';
  end if;
  update public.reports as r
  set status = admin_handle_report.status, resolution = why, handled_by = uid, handled_at = now()
  where r.id = report_id
  returning r.subject_user_id into subject;
  if not found then
    raise exception 'There is no such report.' using errcode = 'PT404';
  end if;
  perform private.audit('report_' || status, report_id::text, why, jsonb_strip_nulls(jsonb_build_object('user_id', subject)));
end
$$;
revoke all on function public.admin_handle_report(uuid, text, text) from public, anon, authenticated;
grant execute on function public.admin_handle_report(uuid, text, text) to authenticated;

-- handled: false reverts a message that was marked by mistake.
create function public.admin_handle_contact(message_id uuid, handled boolean default true) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
begin
  update public.contact_messages
  set handled_at = case when handled then now() end, handled_by = case when handled then uid end
  where id = message_id;
  if not found then
    raise exception 'There is no such message.' using errcode = 'PT404';
  end if;
  perform private.audit(case when handled then 'contact_handled' else 'contact_reopened' end, message_id::text);
end
$$;
revoke all on function public.admin_handle_contact(uuid, boolean) from public, anon, authenticated;
grant execute on function public.admin_handle_contact(uuid, boolean) to authenticated;

-- The lists of the admin pages. Both views run as their caller: someone who is not an admin reads only the own row of
-- the first and nothing of the second.
create view public.admin_users with (security_invoker = true) as
select u.id, u.full_name, u.email, case when u.is_admin then 'admin' else u.role end as role, u.referral_tokens, u.created_at,
  m.tier, m.wanted_tier, s.suspended_at, s.reason as suspension_reason,
  u.role as profile, c.verified_at
from public.users as u
left join public.memberships as m on m.user_id = u.id
left join public.suspensions as s on s.user_id = u.id and s.lifted_at is null
left join public.scouts as c on c.user_id = u.id and u.role = 'scout';
revoke all on public.admin_users from anon, authenticated;
grant select on public.admin_users to authenticated;

-- The log, with the names of users who still have an account. subject_user_id is the user the line is about, directly
-- or through a measurement or report.
create view public.admin_audit_log with (security_invoker = true) as
select a.id, a.created_at, a.action, a.actor_id, actor.full_name as actor_name, a.subject_id,
  subject.id as subject_user_id, subject.full_name as subject_name, a.reason, a.detail
from public.audit_log as a
left join public.users as actor on actor.id = a.actor_id
left join public.users as subject on subject.id = case
  when coalesce(a.detail ->> 'player_id', a.detail ->> 'user_id', a.subject_id) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  then coalesce(a.detail ->> 'player_id', a.detail ->> 'user_id', a.subject_id)::uuid end;
revoke all on public.admin_audit_log from anon, authenticated;
grant select on public.admin_audit_log to authenticated;

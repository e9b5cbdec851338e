-- Coaches are verified, by an admin or by two verified coaches, before they may invite minors, read their data or
-- verify numbers.

alter table public.coaches add column verified_at timestamptz;

-- Which admin verified the coach; like verified_by of scouts, not readable by anyone.
create table private.coach_verifications (
  coach_id uuid primary key references public.coaches (user_id) on delete cascade,
  verified_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now()
);
create index coach_verifications_verified_by_idx on private.coach_verifications (verified_by);

create table public.coach_vouches (
  id uuid primary key default gen_random_uuid(),
  coach_id uuid not null references public.coaches (user_id) on delete cascade,
  -- A vouch is deleted with the voucher's account.
  voucher_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (coach_id, voucher_id),
  constraint coach_vouches_not_for_oneself check (coach_id <> voucher_id)
);
create index coach_vouches_voucher_id_idx on public.coach_vouches (voucher_id);

alter table public.coach_vouches enable row level security;
create policy "both sides and admins read" on public.coach_vouches
  for select to authenticated
  using (coach_id = (select auth.uid()) or voucher_id = (select auth.uid()) or (select private.is_admin()));
create policy "not the suspended" on public.coach_vouches
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.coach_vouches from anon, authenticated;
grant select on table public.coach_vouches to authenticated;

create function private.is_adult() returns boolean
language sql stable security definer
set search_path = ''
as $$ select not private.is_minor((select auth.uid())) $$;
revoke all on function private.is_adult() from public;
grant execute on function private.is_adult() to authenticated;

create function private.coach_is_verified(user_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from public.coaches as c join public.users as u on u.id = c.user_id and u.role = 'coach'
    where c.user_id = coach_is_verified.user_id and c.verified_at is not null and not private.is_minor(c.user_id)
      and not exists (select from public.suspensions as s where s.user_id = c.user_id and s.lifted_at is null))
$$;
revoke all on function private.coach_is_verified(uuid) from public;

create function private.is_verified_coach() returns boolean
language sql stable security definer
set search_path = ''
as $$ select private.coach_is_verified((select auth.uid())) $$;
revoke all on function private.is_verified_coach() from public;
grant execute on function private.is_verified_coach() to authenticated;

-- Verified coaches and scouts may read what recruiting needs.
create function private.is_verified_reader() returns boolean
language sql stable security definer
set search_path = ''
as $$
  select private.is_verified_coach() or exists (
    select from public.scouts as s join public.users as u on u.id = s.user_id and u.role = 'scout'
    where s.user_id = (select auth.uid()) and s.verified_at is not null and not private.is_minor(s.user_id)
      and not private.is_suspended())
$$;
revoke all on function private.is_verified_reader() from public;
grant execute on function private.is_verified_reader() to authenticated;

-- Free text written by strangers must not reach minors: a team is vetted once a verified coach or an admin has written
-- its name.
alter table public.teams
  add column named_by uuid references public.profiles (id) on delete set null,
  add column vetted boolean not null default false;
create index teams_named_by_idx on public.teams (named_by);
update public.teams set named_by = created_by;

create function private.vet_team() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  -- Without a caller it is a seed or the operator.
  trusted constant boolean := auth.uid() is null or private.is_verified_coach() or private.is_admin();
begin
  if tg_op = 'UPDATE' then
    if (new.name, new.city, new.state) is not distinct from (old.name, old.city, old.state) then
      return new;
    end if;
    if old.vetted and not trusted then
      raise exception 'Only verified coaches rename this team.' using errcode = '42501',
        hint = 'Players under 18 see its name. Ask an admin, or two verified coaches, to verify you.';
    end if;
  end if;
  new.named_by := coalesce(auth.uid(), new.created_by);
  new.vetted := trusted;
  return new;
end
$$;
revoke all on function private.vet_team() from public;

create trigger vet_team
  before insert or update of name, city, state on public.teams
  for each row execute function private.vet_team();

-- A coach is verified by an admin, or by the vouches of two coaches who are verified now. A coach who loses the
-- verification loses the vouches given to others, and the teams they named lose the vetting.
create function private.settle_coach(coach uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  stands constant boolean := exists (select from private.coach_verifications as v where v.coach_id = coach)
    or (select count(*) from public.coach_vouches as v where v.coach_id = coach and private.coach_is_verified(v.voucher_id)) >= 2;
begin
  update public.coaches as c set verified_at = case when stands then now() end
  where c.user_id = coach and (c.verified_at is not null) <> stands;
  if not found then
    return;
  end if;
  update public.teams as t set vetted = stands where t.named_by = coach;
  if not stands then
    delete from public.coach_vouches as v where v.voucher_id = coach;
  end if;
end
$$;
revoke all on function private.settle_coach(uuid) from public;

create function private.count_vouches() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.settle_coach(case tg_op when 'DELETE' then old.coach_id else new.coach_id end);
  return null;
end
$$;
revoke all on function private.count_vouches() from public;

create trigger count_vouches
  after insert or delete on public.coach_vouches
  for each row execute function private.count_vouches();
create trigger count_verifications
  after insert or delete on private.coach_verifications
  for each row execute function private.count_vouches();

-- While a verified coach is suspended, or no longer has the role coach, the teams they named are not vetted and their
-- vouches do not count.
create function private.settle_vouched() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  coach constant uuid := case when tg_table_name = 'users' then (to_jsonb(new) ->> 'id')::uuid
    else (to_jsonb(case tg_op when 'DELETE' then old else new end) ->> 'user_id')::uuid end;
begin
  -- An account that is being deleted takes its vouches along by itself.
  if not exists (select from public.users as u where u.id = coach) then
    return null;
  end if;
  if exists (select from public.coaches as c where c.user_id = coach and c.verified_at is not null) then
    update public.teams as t set vetted = private.coach_is_verified(coach) where t.named_by = coach;
  end if;
  perform private.settle_coach(v.coach_id) from public.coach_vouches as v where v.voucher_id = coach;
  return null;
end
$$;
revoke all on function private.settle_vouched() from public;

create trigger settle_vouched
  after insert or update of lifted_at or delete on public.suspensions
  for each row execute function private.settle_vouched();
create trigger settle_vouched
  after update of role on public.users
  for each row when (old.role is distinct from new.role)
  execute function private.settle_vouched();
create trigger settle_vouched
  after update of birth_date or delete on public.birth_dates
  for each row execute function private.settle_vouched();

-- Only coaches who are not yet verified can be vouched for, so that a ring of coaches cannot keep itself verified.
create function public.vouch_for_coach(user_id uuid, vouched boolean default true) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  if not private.is_verified_coach() then
    raise exception 'Only verified coaches vouch for others.' using errcode = '42501';
  end if;
  -- One after the other, so that two vouches at once are two.
  perform from public.coaches as c join public.users as u on u.id = c.user_id and u.role = 'coach'
  where c.user_id = vouch_for_coach.user_id and c.user_id <> uid and not private.is_minor(c.user_id)
  for update of c;
  if not found then
    raise exception 'There is no such coach.' using errcode = 'PT404';
  end if;
  if vouched then
    if private.coach_is_verified(vouch_for_coach.user_id) then
      raise exception 'This coach is verified already.' using errcode = 'PT400';
    end if;
    -- By the log, which also counts what was taken back. One after the other, so that the count holds.
    perform from public.users as u where u.id = uid for no key update;
    if (select count(*) from public.audit_log as l
      where l.actor_id = uid and l.action = 'coach_vouched' and l.created_at > now() - interval '1 month') >= 10
    then
      raise exception 'Ten vouches a month are enough.' using errcode = 'PT429', hint = 'Ask an admin to verify this coach.';
    end if;
    insert into public.coach_vouches (coach_id, voucher_id) values (vouch_for_coach.user_id, uid) on conflict do nothing;
  else
    delete from public.coach_vouches as v where v.coach_id = vouch_for_coach.user_id and v.voucher_id = uid;
  end if;
  perform private.audit(case when vouched then 'coach_vouched' else 'coach_vouch_withdrawn' end, user_id::text);
end
$$;
revoke all on function public.vouch_for_coach(uuid, boolean) from public, anon, authenticated;
grant execute on function public.vouch_for_coach(uuid, boolean) to authenticated;

-- Withdrawing the verification also deletes the vouches for the coach.
create function public.admin_verify_coach(user_id uuid, verified boolean) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
begin
  perform from public.coaches as c where c.user_id = admin_verify_coach.user_id for update;
  if not found then
    raise exception 'There is no such coach.' using errcode = 'PT404';
  end if;
  if verified then
    insert into private.coach_verifications (coach_id, verified_by) values (admin_verify_coach.user_id, uid) on conflict do nothing;
  else
    delete from private.coach_verifications as v where v.coach_id = admin_verify_coach.user_id;
    delete from public.coach_vouches as v where v.coach_id = admin_verify_coach.user_id;
  end if;
  perform private.audit(case when verified then 'coach_verified' else 'coach_verification_withdrawn' end, user_id::text);
end
$$;
revoke all on function public.admin_verify_coach(uuid, boolean) from public, anon, authenticated;
grant execute on function public.admin_verify_coach(uuid, boolean) to authenticated;

create or replace view public.admin_users with (security_invoker = true) as
select u.id, u.full_name, u.email, case when u.is_admin then 'admin' else u.role end as role, u.referral_tokens, u.created_at,
  m.tier, m.wanted_tier, s.suspended_at, s.reason as suspension_reason,
  u.role as profile, case u.role when 'scout' then c.verified_at when 'coach' then k.verified_at end as verified_at
from public.users as u
left join public.memberships as m on m.user_id = u.id
left join public.suspensions as s on s.user_id = u.id and s.lifted_at is null
left join public.scouts as c on c.user_id = u.id
left join public.coaches as k on k.user_id = u.id;

-- Only verified coaches see minors.
create or replace function private.coached_players() returns setof uuid
language sql stable security definer
set search_path = ''
as $$
  select distinct m.user_id from public.team_members as m
  where m.team_id in (select private.coached_teams()) and m.role = 'player' and m.status = 'active'
    and private.age(m.user_id) is not null and private.may_publish(m.user_id)
    and (not private.is_minor(m.user_id) or (select private.is_verified_coach()))
    and not exists (select from public.suspensions as s where s.user_id = m.user_id and s.lifted_at is null)
$$;

create or replace function public.verify_measurement(measurement_id uuid, verified boolean default true) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  subject uuid;
begin
  select m.player_id into subject from public.measurements as m where m.id = measurement_id;
  if subject is null or subject = uid
    or not (private.is_admin() or subject in (select private.coached_players()))
  then
    raise exception 'Only a coach of the player''s team can verify this.' using errcode = '42501';
  end if;
  if not (private.is_admin() or private.is_verified_coach()) then
    raise exception 'Only verified coaches verify numbers.' using errcode = '42501',
      hint = 'Ask an admin, or two verified coaches, to verify you.';
  end if;
  update public.measurements
  set verified_by = case when verified then uid end,
      verified_at = case when verified then now() end,
      verification_asked = verification_asked and not verified
  where id = measurement_id;
  perform private.audit(case when verified then 'measurement_verified' else 'verification_withdrawn' end,
    measurement_id::text, null, jsonb_build_object('player_id', subject));
end
$$;

-- A coach's measurement counts as verified, and its event is text that reaches the player.
alter policy "owners, guardians and coaches insert" on public.measurements
  with check (
    (
      source in ('self', 'device')
      and verified_by is null
      and (
        (player_id = (select auth.uid()) and (select private.may_publish()))
        or player_id in (select private.active_wards())
      )
    )
    or (
      source = 'coach'
      and player_id <> (select auth.uid())
      and (select private.is_verified_coach())
      and player_id in (select private.coached_players())
      and exists (select from public.players as p where p.user_id = player_id and p.accept_coach_stats)
    )
  );

alter policy "visitors read" on public.teams using (active and vetted);
alter policy "users read" on public.teams
  using (
    (active and (vetted or (select private.is_adult())))
    or id in (select private.coached_teams())
    or (id in (select private.own_teams()) and (vetted or (select private.is_adult())))
    or (select private.is_admin())
  );

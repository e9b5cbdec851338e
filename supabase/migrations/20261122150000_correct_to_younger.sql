-- A guardian's correction of a birth date must not make an account older: a child could accept its own invitation with
-- a second account, and make itself an adult. So a guardian can only correct to the first date that was given, or a
-- later one. For an earlier date an admin must examine the case and clear the answer; then the guardian answers once
-- more. Both are recorded in the audit log.

-- The first answer of an account, or the first after an admin cleared it. Clearing deletes the birth date and, by
-- cascade, this row.
create table private.told_birth_dates (
  user_id uuid primary key references public.birth_dates (user_id) on delete cascade,
  birth_date date not null
);
revoke all on table private.told_birth_dates from public, anon, authenticated, service_role;
insert into private.told_birth_dates (user_id, birth_date) select user_id, birth_date from public.birth_dates;

create function private.keep_told_birth_date() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.told_birth_dates (user_id, birth_date) values (new.user_id, new.birth_date)
  on conflict (user_id) do nothing;
  return null;
end
$$;
revoke all on function private.keep_told_birth_date() from public;
create trigger keep_told_birth_date
  after insert on public.birth_dates
  for each row execute function private.keep_told_birth_date();

-- The earliest birth date that a guardian may give: the account's first answer; without one, the date remembered from
-- an earlier account with its address; otherwise the birth date of someone who turns 18 tomorrow. '-infinity' if an
-- admin has cleared the answer.
create function private.earliest_birth_date(ward uuid) returns date
language sql stable
set search_path = ''
as $$
  select coalesce(
    (select t.birth_date from private.told_birth_dates as t where t.user_id = ward),
    (select case when l.action = 'birth_date_cleared' then '-infinity'::date end
      from public.audit_log as l
      where l.subject_id = ward::text and l.action in ('birth_date_cleared', 'birth_date_corrected')
      order by l.id desc limit 1),
    (select m.birth_date
      from public.users as u join private.minor_addresses as m on m.address = private.address_hash(u.email)
      where u.id = ward and m.adult_on > private.today()),
    (private.today() - interval '18 years')::date + 1)
$$;
revoke all on function private.earliest_birth_date(uuid) from public;

create or replace function public.correct_birth_date(ward_id uuid, birth_date date) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.first_guardian_of(ward_id);
begin
  if birth_date is null then
    raise exception 'Give the birth date.' using errcode = 'PT400';
  end if;
  -- One after the other, so that two first answers do not pass together.
  perform from public.users as u where u.id = correct_birth_date.ward_id for update;
  if birth_date < private.earliest_birth_date(ward_id) then
    raise exception 'You can correct this birth date to a later one only: an earlier one would make the account older.'
      using errcode = '42501',
        hint = 'Write to us by the contact form. When an admin has cleared the birth date, you answer anew.';
  end if;
  insert into public.birth_dates as b (user_id, birth_date)
  values (correct_birth_date.ward_id, correct_birth_date.birth_date)
  on conflict (user_id) do update set birth_date = excluded.birth_date, answered_at = now();
  perform private.audit('birth_date_corrected', ward_id::text);
end
$$;

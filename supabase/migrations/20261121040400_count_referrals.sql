-- Only these two functions increase the counters of referral_codes. Neither reveals whether a code exists.

-- Who clicked which code today, as hashes. The day's salt is deleted with the day, so older hashes can no longer be
-- traced. Old rows are deleted a few at a time with every later click.
create table private.visit_salts (
  day date primary key,
  salt uuid not null default gen_random_uuid()
);

create table private.referral_visits (
  day date not null,
  code text not null references public.referral_codes (code) on delete cascade on update cascade,
  visitor bytea not null,
  primary key (day, code, visitor)
);
create index referral_visits_code_idx on private.referral_visits (code);

create table private.referral_conversions (
  user_id uuid primary key references public.users (id) on delete cascade,
  code text not null references public.referral_codes (code) on delete cascade on update cascade,
  converted_at timestamptz not null default now()
);
create index referral_conversions_code_idx on private.referral_conversions (code);

-- The hash of today's visitor: a signed-in user by id, anyone else by address and browser. The gateway sets x-real-ip
-- itself and drops the client's.
create function private.visitor(today date) returns bytea
language plpgsql
set search_path = ''
as $$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  todays_salt uuid;
begin
  insert into private.visit_salts (day) values (today) on conflict (day) do nothing;
  select salt into todays_salt from private.visit_salts where day = today;
  return sha256(convert_to(
    jsonb_build_array(todays_salt, auth.uid(),
      case when auth.uid() is null then jsonb_build_array(headers -> 'x-real-ip', headers -> 'user-agent') end)::text,
    'UTF8'));
end
$$;
revoke all on function private.visitor(date) from public;

create function private.forget_visits_before(today date) returns void
language sql
set search_path = ''
as $$
  delete from private.visit_salts where day < today;
  -- A few at a time: the caller is a visitor who waits, and has three seconds.
  delete from private.referral_visits
  where (day, code, visitor) in (
    select day, code, visitor from private.referral_visits where day < today limit 100 for update skip locked);
$$;
revoke all on function private.forget_visits_before(date) from public;

-- One click per visitor, code and day; the code's owner does not count.
create function public.increment_referral_clicks(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  owner uuid;
begin
  select c.owner_id into owner from public.referral_codes c where c.code = increment_referral_clicks.code;
  if not found or owner = auth.uid() then
    return;
  end if;
  perform private.forget_visits_before(today);
  insert into private.referral_visits (day, code, visitor)
  values (today, increment_referral_clicks.code, private.visitor(today))
  on conflict do nothing;
  if found then
    update public.referral_codes c set clicks = c.clicks + 1 where c.code = increment_referral_clicks.code;
  end if;
end
$$;
revoke all on function public.increment_referral_clicks(text) from public, anon, authenticated;
grant execute on function public.increment_referral_clicks(text) to anon, authenticated, service_role;

-- One conversion per user, ever; users cannot convert with their own code.
create function public.increment_referral_conversions(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.referral_conversions (user_id, code)
  select u.id, c.code
  from public.users u, public.referral_codes c
  where u.id = auth.uid()
    and c.code = increment_referral_conversions.code
    and c.owner_id is distinct from u.id
  on conflict do nothing;
  if found then
    update public.referral_codes c set conversions = c.conversions + 1 where c.code = increment_referral_conversions.code;
  end if;
end
$$;
revoke all on function public.increment_referral_conversions(text) from public, anon, authenticated;
grant execute on function public.increment_referral_conversions(text) to authenticated, service_role;

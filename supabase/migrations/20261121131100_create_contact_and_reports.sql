-- Messages to the admins from anyone, and reports of users.

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references public.users (id) on delete set null,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  email text not null check (email ~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' and char_length(email) <= 320),
  subject text not null default '' check (char_length(subject) <= 150),
  message text not null check (char_length(btrim(message)) between 1 and 5000),
  created_at timestamptz not null default now(),
  handled_at timestamptz,
  handled_by uuid references public.profiles (id) on delete set null
);
create index contact_messages_user_id_idx on public.contact_messages (user_id);
create index contact_messages_handled_by_idx on public.contact_messages (handled_by);
create index contact_messages_created_at_idx on public.contact_messages (created_at desc);

alter table public.contact_messages enable row level security;
create policy "admins read" on public.contact_messages for select to authenticated using ((select private.is_admin()));
revoke all on table public.contact_messages from anon, authenticated;
grant select on table public.contact_messages to authenticated;

-- Who has written in the last hour, as a hash with the day's salt, as for clicks. The browser's name is left out,
-- because a sender could change it to write more.
create table private.contact_attempts (
  id bigint generated always as identity primary key,
  visitor bytea not null,
  sent_at timestamptz not null default now()
);
create index contact_attempts_visitor_idx on private.contact_attempts (visitor, sent_at);
create index contact_attempts_sent_at_idx on private.contact_attempts (sent_at);

create function private.sender() returns bytea
language plpgsql
set search_path = ''
as $$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  today constant date := (now() at time zone 'utc')::date;
  todays_salt uuid;
begin
  insert into private.visit_salts (day) values (today) on conflict (day) do nothing;
  select salt into todays_salt from private.visit_salts where day = today;
  return sha256(convert_to(
    jsonb_build_array(todays_salt, coalesce(auth.uid()::text, headers ->> 'x-real-ip'))::text, 'UTF8'));
end
$$;
revoke all on function private.sender() from public;

-- Open to suspended users: they can object here.
create function public.send_contact_message(name text, email text, subject text, message text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  sender constant bytea := private.sender();
begin
  if char_length(btrim(coalesce(name, ''))) not between 1 and 120 then
    raise exception 'Your name is required, in up to 120 characters.' using errcode = 'PT400';
  elsif btrim(coalesce(email, '')) !~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' or char_length(email) > 320 then
    raise exception 'That is not an e-mail address.' using errcode = 'PT400';
  elsif char_length(coalesce(subject, '')) > 150 then
    raise exception 'A subject has up to 150 characters.' using errcode = 'PT400';
  elsif char_length(btrim(coalesce(message, ''))) not between 1 and 5000 then
    raise exception 'Your message is required, in up to 5000 characters.' using errcode = 'PT400';
  end if;
  delete from private.contact_attempts where sent_at <= now() - interval '1 hour';
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('contact_messages', 0));
  if (select count(*) from private.contact_attempts where visitor = sender) >= 5 then
    raise exception 'You have sent five messages within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  elsif (select count(*) from private.contact_attempts) >= 200 then
    raise exception 'We receive too many messages right now.' using errcode = 'PT429', hint = 'Try again later.';
  end if;
  insert into private.contact_attempts (visitor) values (sender);
  insert into public.contact_messages (user_id, name, email, subject, message)
  values ((select u.id from public.users as u where u.id = auth.uid()), btrim(name), btrim(email),
    btrim(coalesce(subject, '')), btrim(message));
end
$$;
revoke all on function public.send_contact_message(text, text, text, text) from public, anon, authenticated;
grant execute on function public.send_contact_message(text, text, text, text) to anon, authenticated;

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid default auth.uid() references public.profiles (id) on delete set null,
  subject_kind text not null check (subject_kind in ('profile', 'video', 'measurement', 'other')),
  subject_id text check (char_length(subject_id) <= 100),
  subject_user_id uuid references public.profiles (id) on delete set null,
  reason text not null check (reason in ('spam', 'abuse', 'false_data', 'minor_safety', 'other')),
  details text not null default '' check (char_length(details) <= 2000),
  status text not null default 'open' check (status in ('open', 'resolved', 'dismissed')),
  resolution text check (char_length(resolution) <= 1000),
  handled_by uuid references public.profiles (id) on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null default now()
);
create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc);
create index reports_subject_user_id_idx on public.reports (subject_user_id);
create index reports_handled_by_idx on public.reports (handled_by);
create index reports_open_idx on public.reports (created_at) where status = 'open';

create function private.limit_reports() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('reports ' || new.reporter_id, 0));
  if (select count(*) from public.reports
      where reporter_id = new.reporter_id and created_at > now() - interval '1 day') >= 20 then
    raise exception 'You have made twenty reports today.' using errcode = 'PT429',
      hint = 'We look at each of them. Try again tomorrow.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_reports() from public;
create trigger limit_reports before insert on public.reports for each row execute function private.limit_reports();

alter table public.reports enable row level security;
create policy "reporters and admins read" on public.reports
  for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));
create policy "users report" on public.reports
  for insert to authenticated
  with check (reporter_id = (select auth.uid()));
create policy "not the suspended" on public.reports
  as restrictive for all to authenticated using (not (select private.is_suspended()));
revoke all on table public.reports from anon, authenticated;
grant select on table public.reports to authenticated;
grant insert (id, subject_kind, subject_id, subject_user_id, reason, details) on table public.reports to authenticated;

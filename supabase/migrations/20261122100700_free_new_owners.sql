-- An inherited suspension ends once the new owner proves the address, unless the suspended account had proven it, too.
-- In that case it is the same person, or a new owner whom an admin must release. Also, one busy sender no longer closes
-- the contact form for others.

-- Replaces the plain SHA-256 by the keyed hash.
update private.suspended_addresses set address = private.keyed_address(address);
alter table private.suspended_addresses add column proven boolean not null default false;
-- The new owner must not learn the reason of the deleted account's suspension.
alter table private.suspended_addresses drop column reason;

-- inherited: the suspension came with the address, and ends when the address is proven. An admin who suspends the
-- account clears it. outlasts_proof: the suspension came from an account that had proven the address.
alter table public.suspensions
  add column inherited boolean not null default false,
  add column outlasts_proof boolean not null default false;

create or replace function private.remember_suspension() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.suspended_addresses as a (address, suspended_at, proven)
  select private.address_hash(old.email), s.suspended_at, s.outlasts_proof or private.had_proven(old.id, old.email)
  from public.suspensions as s where s.user_id = old.id and s.lifted_at is null and old.email is not null
  on conflict (address) do update set proven = a.proven or excluded.proven;
  return old;
end
$$;

create or replace function private.suspend_again() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  with known as (
    delete from private.suspended_addresses where address = private.address_hash(new.email)
    returning suspended_at, proven
  )
  insert into public.suspensions (user_id, reason, suspended_at, inherited, outlasts_proof)
  select new.id, 'An earlier account with this address was suspended. ' || case
      when proven then 'If that account was not yours, write to us by the contact form.'
      else 'Reset your password: the link that we mail you proves that the address is yours, and ends this.' end,
    suspended_at, not proven, proven
  from known
  where proven or private.invited_caller(new.id) is null
  on conflict do nothing;
  return null;
end
$$;

create function private.free_new_owner(account uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if exists (select from public.suspensions as s where s.user_id = account and s.inherited and s.lifted_at is null)
    and private.invited_caller(account) is not null
  then
    update public.suspensions as s set lifted_at = now() where s.user_id = account and s.inherited and s.lifted_at is null;
    insert into public.audit_log (actor_id, action, subject_id) values (account, 'address_proven', account::text);
  end if;
end
$$;
revoke all on function private.free_new_owner(uuid) from public;

create function private.on_address_proven() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_table_name = 'users' then
    perform private.free_new_owner(new.id);
  else
    perform private.free_new_owner(s.user_id) from auth.sessions as s where s.id = new.session_id;
  end if;
  return null;
end
$$;
revoke all on function private.on_address_proven() from public;

create trigger on_address_confirmed
  after update of email_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null)
  execute function private.on_address_proven();
create trigger on_address_proven
  after insert on auth.mfa_amr_claims
  for each row execute function private.on_address_proven();

create or replace function public.admin_suspend_user(user_id uuid, reason text) returns void
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
  update public.suspensions as s set reason = why, suspended_by = coalesce(s.suspended_by, uid), inherited = false
  where s.user_id = admin_suspend_user.user_id and s.lifted_at is null;
  if not found then
    insert into public.suspensions (user_id, reason, suspended_by) values (admin_suspend_user.user_id, why, uid);
  end if;
  delete from auth.sessions as s where s.user_id = admin_suspend_user.user_id;
  perform private.audit('user_suspended', user_id::text, why);
end
$$;

-- The network of the visitor. An IPv6 customer has a whole /64.
create function private.network() returns text
language plpgsql stable
set search_path = ''
as $$
declare
  address constant text := nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-real-ip';
begin
  return case when strpos(address, ':') > 0 then network(set_masklen(address::inet, 64))::text else address end;
exception
  when invalid_text_representation then
    return address;
end
$$;
revoke all on function private.network() from public;

create or replace function private.sender() returns bytea
language plpgsql
set search_path = ''
as $$
declare
  today constant date := private.today();
  todays_salt uuid;
begin
  insert into private.visit_salts (day) values (today) on conflict (day) do nothing;
  select salt into todays_salt from private.visit_salts where day = today;
  return sha256(convert_to(jsonb_build_array(todays_salt, coalesce(auth.uid()::text, private.network()))::text, 'UTF8'));
end
$$;

-- The writer: the account, or the address that a visitor gives. A network is shared by a school, or by everyone behind
-- a proxy.
alter table private.contact_attempts add column writer bytea;
create index contact_attempts_writer_idx on private.contact_attempts (writer, sent_at);

-- Five messages an hour for each account and, within a network, for each address; sixty for all visitors of a network,
-- three hundred for all visitors. Accounts are limited only by their own five, so visitors cannot close the form for
-- them.
create function private.limit_contact(email text) returns void
language plpgsql
set search_path = ''
as $$
declare
  sender constant bytea := private.sender();
  who constant bytea := sha256(sender || convert_to(case when auth.uid() is null then lower(btrim(email)) else '' end, 'UTF8'));
  is_visitor constant boolean := auth.uid() is null;
begin
  delete from private.contact_attempts where sent_at <= now() - interval '1 hour';
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('contact_messages', 0));
  if (select count(*) from private.contact_attempts as a where a.writer = who) >= 5 then
    raise exception 'You have sent five messages within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  elsif is_visitor and (
    (select count(*) from private.contact_attempts as a where a.visitor = sender) >= 60
    or (select count(*) from private.contact_attempts as a where a.visitor is not null) >= 300)
  then
    raise exception 'We receive too many messages right now.' using errcode = 'PT429',
      hint = 'Sign in to write at once, or try again later.';
  end if;
  insert into private.contact_attempts (visitor, writer) values (case when is_visitor then sender end, who);
end
$$;
revoke all on function private.limit_contact(text) from public;
alter table private.contact_attempts alter column visitor drop not null;

-- Open to suspended users: they can object here.
create or replace function public.send_contact_message(name text, email text, subject text, message text) returns void
language plpgsql security definer
set search_path = ''
as $$
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
  perform private.limit_contact(email);
  insert into public.contact_messages (user_id, name, email, subject, message)
  values ((select u.id from public.users as u where u.id = auth.uid()), btrim(name), btrim(email),
    btrim(coalesce(subject, '')), btrim(message));
end
$$;

-- A child must not become an adult by deleting the account and signing up again. Only the guardian can delete a ward's
-- account, and an HMAC of every minor's address is kept with the birth date until the eighteenth birthday.

-- Inaccessible to every API role: with the key, addresses could be guessed from their hashes.
create table private.keys (
  name text primary key,
  key bytea not null default extensions.gen_random_bytes(32)
);
revoke all on table private.keys from public, anon, authenticated, service_role;
insert into private.keys (name) values ('addresses');

-- The HMAC of the SHA-256 of an address in lower case, so that the plain SHA-256 stored until now can be upgraded in
-- place.
create function private.keyed_address(digest bytea) returns bytea
language sql stable
set search_path = ''
as $$ select extensions.hmac(digest, k.key, 'sha256') from private.keys as k where k.name = 'addresses' $$;
revoke all on function private.keyed_address(bytea) from public;

create function private.address_hash(email text) returns bytea
language sql stable
set search_path = ''
as $$ select private.keyed_address(sha256(convert_to(lower(btrim(email)), 'UTF8'))) $$;
revoke all on function private.address_hash(text) from public;

create table private.minor_addresses (
  address bytea primary key,
  birth_date date not null,
  -- The eighteenth birthday, when the row is deleted.
  adult_on date not null,
  -- Whether the account had proven the address. Anyone can sign up with someone else's address.
  proven boolean not null default false
);
create index minor_addresses_adult_on_idx on private.minor_addresses (adult_on);
revoke all on table private.minor_addresses from public, anon, authenticated, service_role;

-- The address that an account last proved. It outlives the sessions that proved it: a suspension deletes them, and the
-- account's own row in auth.users is gone when the triggers on public.users run.
create table private.proven_addresses (
  user_id uuid primary key references public.users (id) on delete cascade,
  address bytea not null
);
revoke all on table private.proven_addresses from public, anon, authenticated, service_role;

create function private.note_proof(account uuid) returns void
language sql
set search_path = ''
as $$
  insert into private.proven_addresses (user_id, address)
  select u.id, private.address_hash(private.invited_caller(u.id))
  from public.users as u where u.id = account and private.invited_caller(u.id) is not null
  on conflict (user_id) do update set address = excluded.address
$$;
revoke all on function private.note_proof(uuid) from public;

create function private.on_proof() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_table_name = 'mfa_amr_claims' then
    perform private.note_proof(s.user_id) from auth.sessions as s where s.id = new.session_id;
  else
    perform private.note_proof(new.id);
  end if;
  return null;
end
$$;
revoke all on function private.on_proof() from public;

create trigger note_proof_by_letter
  after update of email_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null)
  execute function private.on_proof();
create trigger note_proof_by_sign_in
  after insert on auth.mfa_amr_claims
  for each row execute function private.on_proof();
create trigger note_proof_at_start
  after insert on public.users
  for each row execute function private.on_proof();
do $$ begin perform private.note_proof(id) from public.users; end $$;

create function private.had_proven(account uuid, email text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.proven_addresses as p where p.user_id = account and p.address = private.address_hash(email))
$$;
revoke all on function private.had_proven(uuid, text) from public;

create function private.forget_adults() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from private.minor_addresses where adult_on <= private.today();
  return null;
end
$$;
revoke all on function private.forget_adults() from public;

-- The database has no scheduler, so triggers on frequent events delete what has expired.
create trigger forget_adults after insert or delete on public.users
  for each statement execute function private.forget_adults();
create trigger forget_adults after insert on public.user_sessions
  for each statement execute function private.forget_adults();

-- Also when a minor changes the address. A guardian's acceptance proves the address as well. An entry from a proven
-- account stays until an admin deletes it.
create function private.remember_minor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.minor_addresses as m (address, birth_date, adult_on, proven)
  select private.address_hash(old.email), b.birth_date, private.birthday(b.birth_date, 18),
    private.had_proven(old.id, old.email)
      or exists (select from public.guardianships as g where g.ward_id = old.id and g.status = 'accepted')
  from public.birth_dates as b
  where b.user_id = old.id and private.birthday(b.birth_date, 18) > private.today() and old.email <> ''
  on conflict (address) do update
  set birth_date = excluded.birth_date, adult_on = excluded.adult_on, proven = true
  where excluded.proven and not m.proven;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
revoke all on function private.remember_minor() from public;

create trigger remember_minor
  before delete on public.users
  for each row execute function private.remember_minor();
create trigger remember_minor_of_address
  before update of email on public.users
  for each row when (old.email is distinct from new.email)
  execute function private.remember_minor();

-- The message is the same for a wrong date and for an unproven address, because otherwise birth dates could be guessed
-- by signing up with someone else's address. A caller who has proven the address removes an unproven entry.
create function private.keep_remembered_birth_date() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  remembered private.minor_addresses;
begin
  if auth.uid() is distinct from new.user_id then
    return new;
  end if;
  select m.* into remembered
  from public.users as u join private.minor_addresses as m on m.address = private.address_hash(u.email)
  where u.id = new.user_id and m.adult_on > private.today();
  if remembered.address is null then
    return new;
  elsif private.invited_caller(new.user_id) is not null then
    if not remembered.proven then
      delete from private.minor_addresses as m where m.address = remembered.address;
      return new;
    elsif remembered.birth_date = new.birth_date then
      return new;
    end if;
  end if;
  raise exception 'An earlier account with this address gave another birth date, or the address is not confirmed yet.'
    using errcode = 'PT409',
      hint = 'Reset your password to confirm the address. A guardian can correct a birth date, or write to us.';
end
$$;
revoke all on function private.keep_remembered_birth_date() from public;

create trigger keep_remembered_birth_date
  before insert on public.birth_dates
  for each row execute function private.keep_remembered_birth_date();

-- For an address that someone else's account connected with a child's birth date. The log keeps only the hash.
create function public.admin_forget_minor_address(email text, reason text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.admin_caller();
  why constant text := private.reason(reason);
  hash constant bytea := private.address_hash(email);
begin
  delete from private.minor_addresses as m where m.address = hash;
  if not found then
    raise exception 'No birth date is remembered with this address.' using errcode = 'PT404';
  end if;
  perform private.audit('minor_address_forgotten', encode(hash, 'hex'), why);
end
$$;
revoke all on function public.admin_forget_minor_address(text, text) from public, anon, authenticated;
grant execute on function public.admin_forget_minor_address(text, text) to authenticated;

-- Whether a guardian decides for this minor.
create function private.in_care(user_id uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select private.is_minor(in_care.user_id) and exists (
    select from public.guardianships as g where g.ward_id = in_care.user_id and g.status = 'accepted')
$$;
revoke all on function private.in_care(uuid) from public;

create or replace function public.delete_account(ward_id uuid default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  person constant uuid := private.account_of(ward_id);
begin
  if person <> auth.uid() then
    perform private.first_guardian_of(person);
  elsif private.in_care(person) then
    raise exception 'Your guardian deletes this account.' using errcode = '42501',
      hint = 'Ask them: they find it under "In your care" on Home.';
  end if;
  perform private.audit('account_deleted', person::text);
  delete from public.contact_messages where user_id = person;
  delete from auth.audit_log_entries
  where payload ->> 'actor_id' = person::text or payload -> 'traits' ->> 'user_id' = person::text;
  delete from auth.users where id = person;
end
$$;

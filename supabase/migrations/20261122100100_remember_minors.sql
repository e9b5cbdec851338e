-- A child does not become an adult by deleting the account and signing up again. A ward's account is deleted by the guardian,
-- and of every minor's account an HMAC of the address stays with the birth date until the eighteenth birthday.

-- Out of every API role's reach: with the key, addresses could be guessed from their hashes.
create table private.keys (
  name text primary key,
  key bytea not null default extensions.gen_random_bytes(32)
);
revoke all on table private.keys from public, anon, authenticated, service_role;
insert into private.keys (name) values ('addresses');

-- The HMAC of the SHA-256 of an address in lower case, so that the plain SHA-256 kept until now can be upgraded in place.
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
  adult_on date not null
);
create index minor_addresses_adult_on_idx on private.minor_addresses (adult_on);
revoke all on table private.minor_addresses from public, anon, authenticated, service_role;

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

-- There is no clock in the database: whatever happens daily sweeps.
create trigger forget_adults after insert or delete on public.users
  for each statement execute function private.forget_adults();
create trigger forget_adults after insert on public.user_sessions
  for each statement execute function private.forget_adults();

-- Also when a minor gives up an address for another.
create function private.remember_minor() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.minor_addresses (address, birth_date, adult_on)
  select private.address_hash(old.email), b.birth_date, private.birthday(b.birth_date, 18)
  from public.birth_dates as b
  where b.user_id = old.id and private.birthday(b.birth_date, 18) > private.today() and old.email <> ''
  on conflict (address) do update set birth_date = excluded.birth_date, adult_on = excluded.adult_on;
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

-- The same message for a wrong date and for an unproven address: birth dates must not be guessable by signing up with the
-- address of somebody else. Guardians correct birth dates as before.
create function private.keep_remembered_birth_date() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  remembered date;
begin
  if auth.uid() is distinct from new.user_id then
    return new;
  end if;
  select m.birth_date into remembered
  from public.users as u join private.minor_addresses as m on m.address = private.address_hash(u.email)
  where u.id = new.user_id and m.adult_on > private.today();
  if remembered is null or (remembered = new.birth_date and private.invited_caller(new.user_id) is not null) then
    return new;
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

-- A new account gets a profile, a welcome bonus and a referral code, in the transaction that creates it. The metadata
-- comes from the visitor and must never make that fail, so it is parsed defensively.

-- Creates the profile of an account. An unknown role becomes fan; nobody becomes an admin.
create function private.create_profile(account auth.users) returns void
language sql
set search_path = ''
as $$
  insert into public.users (id, email, full_name, role, user_type, public_profile, created_at)
  select account.id, account.email, profile.full_name, profile.role, profile.role, profile.is_public,
    coalesce(account.created_at, now())
  from (
    select
      left(btrim(coalesce(meta ->> 'full_name', meta ->> 'name', '')), 200) as full_name,
      case when meta ->> 'role' in ('player', 'coach', 'scout', 'fan') then meta ->> 'role' else 'fan' end as role,
      meta ->> 'public_profile' is distinct from 'false' as is_public
    from (values (account.raw_user_meta_data)) as account_data (meta)
  ) as profile
  on conflict (id) do nothing
$$;
revoke all on function private.create_profile(auth.users) from public;

create function private.on_account_created() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.create_profile(new);
  return null;
end
$$;
revoke all on function private.on_account_created() from public;

create function private.on_account_email_changed() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  update public.users set email = new.email where id = new.id;
  return null;
end
$$;
revoke all on function private.on_account_email_changed() from public;

-- Eight hexadecimal digits, more after each collision.
create function private.create_referral_code(owner uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  digits integer := 8;
begin
  while not exists (select from public.referral_codes where owner_id = owner) loop
    insert into public.referral_codes (code, owner_id)
    values (upper(left(replace(gen_random_uuid()::text, '-', ''), digits)), owner)
    on conflict do nothing;
    digits := least(digits + 1, 32);
  end loop;
end
$$;
revoke all on function private.create_referral_code(uuid) from public;

-- On users, not on auth.users, so that every way of creating a profile gives the bonus.
create function private.on_user_created() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into public.token_ledger (user_id, amount, reason)
  values (new.id, 150, 'welcome_bonus')
  on conflict do nothing;
  perform private.create_referral_code(new.id);
  return null;
end
$$;
revoke all on function private.on_user_created() from public;

create trigger on_user_created
  after insert on public.users
  for each row execute function private.on_user_created();

create trigger on_account_created
  after insert on auth.users
  for each row execute function private.on_account_created();

create trigger on_account_email_changed
  after update of email on auth.users
  for each row
  when (old.email is distinct from new.email)
  execute function private.on_account_email_changed();

-- Accounts created before this migration.
select private.create_profile(account) from auth.users as account;

-- A sign-up that has to be confirmed by e-mail carries the code of its referral in the account's metadata, and counts when the
-- address is confirmed, in whichever browser that happens. The browser counts only sign-ups that bring a session at once.

-- One conversion a user, ever; nobody converts by a code of their own. Whether it counted.
create function private.convert_referral(user_id uuid, code text) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  insert into private.referral_conversions (user_id, code)
  select u.id, c.code
  from public.users u, public.referral_codes c
  where u.id = convert_referral.user_id
    and c.code = convert_referral.code
    and c.owner_id is distinct from u.id
  on conflict do nothing;
  if found then
    update public.referral_codes c set conversions = c.conversions + 1 where c.code = convert_referral.code;
    return true;
  end if;
  return false;
end
$$;
revoke all on function private.convert_referral(uuid, text) from public;

-- As in 20261121131500: an account that is older than a day, or suspended, converts nobody.
create or replace function public.increment_referral_conversions(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not private.is_suspended()
    and exists (select from public.users as u where u.id = auth.uid() and u.created_at > now() - interval '1 day')
  then
    perform private.convert_referral(auth.uid(), increment_referral_conversions.code);
  end if;
end
$$;

-- The metadata is what a visitor wrote: an unknown code, a long one or none is no error, and must not stop a confirmation.
create function private.on_account_confirmed() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  kept constant text := new.raw_user_meta_data ->> 'referral_code';
begin
  if private.convert_referral(new.id, kept) then
    insert into public.referral_analytics (referral_code, action, converted_user_id)
    values (kept, 'signup', new.id)
    on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function private.on_account_confirmed() from public;

-- Only for accounts that were sent a letter: one that is confirmed when it is made is counted by its browser. Not a second time
-- for an account that was confirmed before.
create trigger on_account_confirmed
  after update of email_confirmed_at on auth.users
  for each row
  when (old.email_confirmed_at is null and new.email_confirmed_at is not null
    and old.confirmation_sent_at is not null and old.invited_at is null)
  execute function private.on_account_confirmed();

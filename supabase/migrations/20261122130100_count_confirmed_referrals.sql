-- A sign-up that needs confirmation by e-mail carries its referral code in the account's metadata. It counts when the
-- address is confirmed, in whichever browser. The browser itself counts only sign-ups that return a session at once.

-- One conversion per user, ever; users cannot convert with their own code. Returns whether it counted.
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

-- As in 20261121131500: an account older than a day, or suspended, converts nobody.
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

-- The metadata comes from the visitor: an unknown, overlong or missing code is not an error, and must not block a
-- confirmation.
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

-- Only for accounts that were sent a confirmation mail: one that is confirmed on creation is counted by its browser. An
-- account that was confirmed before is not counted again.
create trigger on_account_confirmed
  after update of email_confirmed_at on auth.users
  for each row
  when (old.email_confirmed_at is null and new.email_confirmed_at is not null
    and old.confirmation_sent_at is not null and old.invited_at is null)
  execute function private.on_account_confirmed();

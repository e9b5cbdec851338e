-- An address stays connected with a child's birth date until the eighteenth birthday, whoever proves it later. Until now an
-- account that had not proven its address left an entry that the first proof removed. Where sign-ups need no confirmation, a
-- child could delete the account, sign up again, reset the password and become an adult.
--
-- Someone can still connect another person's address with a birth date, where addresses need no confirmation. That person
-- writes to us, and an admin calls admin_forget_minor_address().
create or replace function private.keep_remembered_birth_date() returns trigger
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
  -- One message for a wrong date and for an unproven address: otherwise birth dates could be guessed by signing up with
  -- someone else's address.
  if remembered is null or (remembered = new.birth_date and private.invited_caller(new.user_id) is not null) then
    return new;
  end if;
  raise exception 'An earlier account with this address gave another birth date, or the address is not confirmed yet.'
    using errcode = 'PT409',
      hint = 'Reset your password to confirm the address. If the earlier date is wrong, write to us.';
end
$$;

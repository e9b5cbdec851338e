-- Referral tokens: each gain and each expense is a line; the balance in users is their sum.
create table public.token_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.users (id) on delete cascade,
  amount integer not null check (amount <> 0),
  reason text not null check (char_length(reason) between 1 and 100),
  created_at timestamptz not null default now()
);

create index token_ledger_user_id_idx on public.token_ledger (user_id, created_at desc);

-- The welcome bonus is given only once, however often the function that gives it is called.
create unique index token_ledger_welcome_bonus_key on public.token_ledger (user_id) where reason = 'welcome_bonus';

-- Adds the difference instead of setting a new sum: the row lock of the update then prevents lost updates between
-- concurrent lines.
create function private.keep_token_balance() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    update public.users set referral_tokens = referral_tokens - old.amount where id = old.user_id;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    update public.users
    set referral_tokens = referral_tokens + new.amount,
        bonus_tokens_awarded = bonus_tokens_awarded or new.reason = 'welcome_bonus'
    where id = new.user_id;
  end if;
  return null;
end
$$;
revoke all on function private.keep_token_balance() from public;

create trigger keep_token_balance
  after insert or update or delete on public.token_ledger
  for each row execute function private.keep_token_balance();

alter table public.token_ledger enable row level security;

create policy "owners and admins read" on public.token_ledger
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on table public.token_ledger from anon, authenticated;
grant select on table public.token_ledger to authenticated;

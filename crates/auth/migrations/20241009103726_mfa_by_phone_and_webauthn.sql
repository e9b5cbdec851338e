-- covers: 20240729123726 20240802193726 20240806073726 20241009103726
--
-- Second factors by text message and by security key.

alter type auth.factor_type add value if not exists 'phone';

alter table auth.mfa_factors
  add column if not exists phone text,
  add column if not exists last_challenged_at timestamptz,
  add column if not exists web_authn_credential jsonb,
  add column if not exists web_authn_aaguid uuid;
alter table auth.mfa_challenges
  add column if not exists otp_code text,
  add column if not exists web_authn_session_data jsonb;

do $unique$
begin
  if not exists (
    select from pg_constraint
    where conrelid = 'auth.mfa_factors'::regclass and conname = 'mfa_factors_last_challenged_at_key')
  then
    alter table auth.mfa_factors add constraint mfa_factors_last_challenged_at_key unique (last_challenged_at);
  end if;
end
$unique$;

-- A number is unique for each user, no longer in all.
alter table auth.mfa_factors drop constraint if exists mfa_factors_phone_key;
drop index if exists auth.unique_verified_phone_factor;
create unique index if not exists unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);

-- covers: 20230116124310 20230116124412 20230131181311 20230322519590 20230402418590 20230411005111 20230508135423
-- covers: 20230523124323 20230818113222 20230914180801 20231027141322 20231114161723 20231117164230
--
-- Sign-ins under way (PKCE, OAuth, SAML), soft deletion of users, indexes for the clean-up job, what
-- a session knows of its device, and a key of their own for identities.

-- A phone number of a softly deleted user is a hash, longer than the 15 characters of a number.
do $phone$
begin
  if exists (
    select from pg_attribute
    where attrelid = 'auth.users'::regclass and attname in ('phone', 'phone_change') and atttypid = 'varchar'::regtype)
  then
    alter table auth.users alter column phone type text, alter column phone_change type text;
  end if;
exception
  when feature_not_supported or dependent_objects_still_exist then
    raise notice 'users.phone keeps its type, a view or rule of yours uses it: users with a phone cannot be deleted softly';
end
$phone$;

alter table auth.users add column if not exists deleted_at timestamptz;

do $backfill$
declare
  provider_id constant name := (
    select attname from pg_attribute
    where attrelid = 'auth.identities'::regclass and attname in ('id', 'provider_id') and atttypid = 'text'::regtype);
begin
  execute format($insert$
    insert into auth.identities (%I, user_id, identity_data, provider, created_at, updated_at)
    select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', '2023-01-25', '2023-01-25'
    from auth.users
    where invited_at is not null
      and not exists (select from auth.identities where identities.user_id = users.id and provider = 'email')
    $insert$, provider_id);
end
$backfill$;

do $types$
begin
  if to_regtype('auth.code_challenge_method') is null then
    create type auth.code_challenge_method as enum ('s256', 'plain');
  end if;
end
$types$;

create table if not exists auth.flow_state (
  id uuid not null,
  user_id uuid,
  auth_code text not null,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  constraint flow_state_pkey primary key (id)
);
alter table auth.flow_state add column if not exists authentication_method text not null;
create index if not exists idx_auth_code on auth.flow_state (auth_code);
create index if not exists idx_user_id_auth_method on auth.flow_state (user_id, authentication_method);
create index if not exists flow_state_created_at_idx on auth.flow_state (created_at desc);

alter table auth.saml_relay_states add column if not exists flow_state_id uuid
  constraint saml_relay_states_flow_state_id_fkey references auth.flow_state (id) on delete cascade;
create index if not exists saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);

alter table auth.sessions
  add column if not exists refreshed_at timestamp,
  add column if not exists user_agent text,
  add column if not exists ip inet,
  add column if not exists tag text;
create index if not exists sessions_not_after_idx on auth.sessions (not_after desc);

-- The unique constraint on the token already has an index.
drop index if exists auth.refresh_tokens_token_idx;
create index if not exists refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);
create index if not exists mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);

do $identities$
begin
  if not exists (
    select from pg_attribute
    where attrelid = 'auth.identities'::regclass and attname = 'provider_id' and not attisdropped)
  then
    alter table auth.identities rename column id to provider_id;
    alter table auth.identities drop constraint identities_pkey;
    alter table auth.identities
      add column id uuid not null default gen_random_uuid(),
      add constraint identities_pkey primary key (id);
  end if;
  if not exists (
    select from pg_constraint
    where conrelid = 'auth.identities'::regclass and conname = 'identities_provider_id_provider_unique')
  then
    alter table auth.identities
      add constraint identities_provider_id_provider_unique unique (provider_id, provider);
  end if;
end
$identities$;

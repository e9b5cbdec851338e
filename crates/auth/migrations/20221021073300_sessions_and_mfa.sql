-- covers: 20220811173540 20221003041349 20221003041400 20221011041400 20221020193600 20221021073300
--
-- Sessions, which own their refresh tokens, and what a session has proven: factors, challenges and
-- authentication methods (amr), assurance levels (aal).

do $types$
begin
  if to_regtype('auth.factor_type') is null then
    create type auth.factor_type as enum ('totp', 'webauthn');
  end if;
  if to_regtype('auth.factor_status') is null then
    create type auth.factor_status as enum ('unverified', 'verified');
  end if;
  if to_regtype('auth.aal_level') is null then
    create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
  end if;
end
$types$;

create table if not exists auth.sessions (
  id uuid not null,
  user_id uuid not null,
  created_at timestamptz,
  updated_at timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
alter table auth.sessions
  add column if not exists factor_id uuid,
  add column if not exists aal auth.aal_level;
create index if not exists sessions_user_id_idx on auth.sessions (user_id);
create index if not exists user_id_created_at_idx on auth.sessions (user_id, created_at);

alter table auth.refresh_tokens add column if not exists session_id uuid;
do $session$
begin
  if not exists (
    select from pg_constraint
    where conrelid = 'auth.refresh_tokens'::regclass and conname = 'refresh_tokens_session_id_fkey')
  then
    alter table auth.refresh_tokens add constraint refresh_tokens_session_id_fkey
      foreign key (session_id) references auth.sessions (id) on delete cascade;
  end if;
end
$session$;
create index if not exists refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);

create table if not exists auth.mfa_factors (
  id uuid not null,
  user_id uuid not null,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  secret text,
  constraint mfa_factors_pkey primary key (id),
  constraint mfa_factors_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
create unique index if not exists mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
  where trim(friendly_name) <> '';
create index if not exists factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);

create table if not exists auth.mfa_challenges (
  id uuid not null,
  factor_id uuid not null,
  created_at timestamptz not null,
  verified_at timestamptz,
  ip_address inet not null,
  constraint mfa_challenges_pkey primary key (id),
  constraint mfa_challenges_auth_factor_id_fkey foreign key (factor_id) references auth.mfa_factors (id) on delete cascade
);

create table if not exists auth.mfa_amr_claims (
  session_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method),
  constraint mfa_amr_claims_session_id_fkey foreign key (session_id) references auth.sessions (id) on delete cascade
);
alter table auth.mfa_amr_claims add column if not exists id uuid not null;
do $key$
begin
  if not exists (
    select from pg_constraint where conrelid = 'auth.mfa_amr_claims'::regclass and conname = 'amr_id_pk')
  then
    alter table auth.mfa_amr_claims add constraint amr_id_pk primary key (id);
  end if;
end
$key$;

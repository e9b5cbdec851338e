-- covers: 20250717082212 20250731150234 20250804100000 20250901200500 20250903112500 20250904133000 20250925093508
-- covers: 20251007112900 20251104100000 20251111201300 20251201000000 20260115000000 20260121000000
--
-- The OAuth 2.1 server: clients, authorizations under way, consents given; sessions that belong to a
-- client. Further refresh tokens that are signed instead of stored (the key and counter in sessions),
-- and the OAuth state of outgoing sign-ins.

alter table auth.sso_providers add column if not exists disabled boolean;
create index if not exists sso_providers_resource_id_pattern_idx on auth.sso_providers (resource_id text_pattern_ops);

do $types$
begin
  if to_regtype('auth.oauth_registration_type') is null then
    create type auth.oauth_registration_type as enum ('dynamic', 'manual');
  end if;
  if to_regtype('auth.oauth_client_type') is null then
    create type auth.oauth_client_type as enum ('public', 'confidential');
  end if;
  if to_regtype('auth.oauth_authorization_status') is null then
    create type auth.oauth_authorization_status as enum ('pending', 'approved', 'denied', 'expired');
  end if;
  if to_regtype('auth.oauth_response_type') is null then
    create type auth.oauth_response_type as enum ('code');
  end if;
end
$types$;

create table if not exists auth.oauth_clients (
  id uuid not null,
  client_secret_hash text,
  registration_type auth.oauth_registration_type not null,
  redirect_uris text not null,
  grant_types text not null,
  client_name text,
  client_uri text,
  logo_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint oauth_clients_pkey primary key (id),
  constraint oauth_clients_client_name_length check (char_length(client_name) <= 1024),
  constraint oauth_clients_client_uri_length check (char_length(client_uri) <= 2048),
  constraint oauth_clients_logo_uri_length check (char_length(logo_uri) <= 2048)
);
-- For a while clients had a public id apart from their key, and all of them had a secret.
alter table auth.oauth_clients drop column if exists client_id;
alter table auth.oauth_clients alter column client_secret_hash drop not null;
alter table auth.oauth_clients
  add column if not exists client_type auth.oauth_client_type not null default 'confidential',
  add column if not exists token_endpoint_auth_method text
    constraint oauth_clients_token_endpoint_auth_method_check
    check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none'));
-- RFC 7591 section 2: client_secret_basic where nothing is said; a public client has no secret.
update auth.oauth_clients
set token_endpoint_auth_method = case client_type when 'public' then 'none' else 'client_secret_basic' end
where token_endpoint_auth_method is null;
alter table auth.oauth_clients alter column token_endpoint_auth_method set not null;
create index if not exists oauth_clients_deleted_at_idx on auth.oauth_clients (deleted_at);

create table if not exists auth.oauth_authorizations (
  id uuid not null,
  authorization_id text not null,
  client_id uuid not null,
  user_id uuid,
  redirect_uri text not null,
  scope text not null,
  state text,
  resource text,
  code_challenge text,
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 minutes',
  approved_at timestamptz,
  constraint oauth_authorizations_pkey primary key (id),
  constraint oauth_authorizations_authorization_id_key unique (authorization_id),
  constraint oauth_authorizations_authorization_code_key unique (authorization_code),
  constraint oauth_authorizations_client_id_fkey foreign key (client_id) references auth.oauth_clients (id) on delete cascade,
  constraint oauth_authorizations_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
  constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
  constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
  constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
  constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
  constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
  constraint oauth_authorizations_expires_at_future check (expires_at > created_at)
);
alter table auth.oauth_authorizations add column if not exists nonce text;
create index if not exists oauth_auth_pending_exp_idx on auth.oauth_authorizations (expires_at) where status = 'pending';

create table if not exists auth.oauth_consents (
  id uuid not null,
  user_id uuid not null,
  client_id uuid not null,
  scopes text not null,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_pkey primary key (id),
  constraint oauth_consents_user_client_unique unique (user_id, client_id),
  constraint oauth_consents_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint oauth_consents_client_id_fkey foreign key (client_id) references auth.oauth_clients (id) on delete cascade,
  constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048),
  constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
  constraint oauth_consents_revoked_after_granted check (revoked_at is null or revoked_at >= granted_at)
);
create index if not exists oauth_consents_active_user_client_idx on auth.oauth_consents (user_id, client_id) where revoked_at is null;
create index if not exists oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);
create index if not exists oauth_consents_active_client_idx on auth.oauth_consents (client_id) where revoked_at is null;

alter table auth.sessions
  add column if not exists oauth_client_id uuid,
  add column if not exists refresh_token_hmac_key text,
  add column if not exists refresh_token_counter bigint,
  add column if not exists scopes text;
create index if not exists sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

do $constraints$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('auth.sessions', 'sessions_oauth_client_id_fkey',
        'foreign key (oauth_client_id) references auth.oauth_clients (id) on delete cascade'),
      ('auth.sessions', 'sessions_scopes_length', 'check (char_length(scopes) <= 4096)'),
      ('auth.oauth_authorizations', 'oauth_authorizations_nonce_length', 'check (char_length(nonce) <= 255)')
    ) as constraints (on_table, name, definition)
  loop
    continue when exists (
      select from pg_constraint where conrelid = wanted.on_table::regclass and conname = wanted.name);
    execute format('alter table %s add constraint %I %s', wanted.on_table, wanted.name, wanted.definition);
  end loop;
end
$constraints$;

alter table auth.mfa_factors add column if not exists last_webauthn_challenge_data jsonb;

create table if not exists auth.oauth_client_states (
  id uuid not null,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null,
  constraint oauth_client_states_pkey primary key (id)
);
create index if not exists idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

-- What the state parameter used to carry. The implicit flow has no code and no challenge.
alter table auth.flow_state
  add column if not exists invite_token text,
  add column if not exists referrer text,
  add column if not exists oauth_client_state_id uuid,
  add column if not exists linking_target_id uuid,
  add column if not exists email_optional boolean not null default false;
alter table auth.flow_state
  alter column auth_code drop not null,
  alter column code_challenge drop not null,
  alter column code_challenge_method drop not null;

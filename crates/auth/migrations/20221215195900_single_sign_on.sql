-- covers: 20221021082433 20221027105023 20221114143122 20221114143410 20221125140132 20221208132122 20221215195500
-- covers: 20221215195800 20221215195900
--
-- Single sign-on by SAML: identity providers and the e-mail domains they answer for. Accounts that
-- come from there may share an address with others, so addresses are unique among the rest only.

create table if not exists auth.sso_providers (
  id uuid not null,
  resource_id text,
  created_at timestamptz,
  updated_at timestamptz,
  constraint sso_providers_pkey primary key (id),
  -- Compared with "=" instead of "is", as upstream's: null passes a check either way.
  constraint "resource_id not empty" check (resource_id = null::text or char_length(resource_id) > 0)
);
create unique index if not exists sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));

create table if not exists auth.sso_domains (
  id uuid not null,
  sso_provider_id uuid not null,
  domain text not null,
  created_at timestamptz,
  updated_at timestamptz,
  constraint sso_domains_pkey primary key (id),
  constraint sso_domains_sso_provider_id_fkey foreign key (sso_provider_id)
    references auth.sso_providers (id) on delete cascade,
  constraint "domain not empty" check (char_length(domain) > 0)
);
create index if not exists sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create unique index if not exists sso_domains_domain_idx on auth.sso_domains (lower(domain));

create table if not exists auth.saml_providers (
  id uuid not null,
  sso_provider_id uuid not null,
  entity_id text not null,
  metadata_xml text not null,
  metadata_url text,
  attribute_mapping jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  constraint saml_providers_pkey primary key (id),
  constraint saml_providers_entity_id_key unique (entity_id),
  constraint saml_providers_sso_provider_id_fkey foreign key (sso_provider_id)
    references auth.sso_providers (id) on delete cascade,
  constraint "metadata_xml not empty" check (char_length(metadata_xml) > 0),
  constraint "metadata_url not empty" check (metadata_url = null::text or char_length(metadata_url) > 0),
  constraint "entity_id not empty" check (char_length(entity_id) > 0)
);
create index if not exists saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table if not exists auth.saml_relay_states (
  id uuid not null,
  sso_provider_id uuid not null,
  request_id text not null,
  for_email text,
  redirect_to text,
  created_at timestamptz,
  updated_at timestamptz,
  constraint saml_relay_states_pkey primary key (id),
  constraint saml_relay_states_sso_provider_id_fkey foreign key (sso_provider_id)
    references auth.sso_providers (id) on delete cascade,
  constraint "request_id not empty" check (char_length(request_id) > 0)
);
create index if not exists saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);
create index if not exists saml_relay_states_for_email_idx on auth.saml_relay_states (for_email);

-- Made and given up within these ids: what it held is in auth.sessions.
drop table if exists auth.sso_sessions;

alter table auth.sessions add column if not exists not_after timestamptz;

alter table auth.refresh_tokens drop constraint if exists refresh_tokens_parent_fkey;

-- Accounts with a password from before there were identities get theirs. The dates tell such rows.
do $backfill$
declare
  -- The column's name depends on whether 20231117164230 has been here.
  provider_id constant name := (
    select attname from pg_attribute
    where attrelid = 'auth.identities'::regclass and attname in ('id', 'provider_id') and atttypid = 'text'::regtype);
begin
  execute format($insert$
    insert into auth.identities (%I, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
    select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', '2022-11-25', '2022-11-25', '2022-11-25'
    from auth.users
    where encrypted_password <> '' and email is not null
      and not exists (select from auth.identities where identities.user_id = users.id)
    $insert$, provider_id);
  execute format($update$
    update auth.identities set last_sign_in_at = '2022-11-25'
    where last_sign_in_at is null and created_at = '2022-11-25' and updated_at = '2022-11-25'
      and provider = 'email' and %I = user_id::text
    $update$, provider_id);
  update auth.identities
  set identity_data = identity_data || jsonb_build_object('email', users.email), updated_at = '2022-11-25'
  from auth.users
  where users.id = identities.user_id and provider = 'email' and identity_data ->> 'email' is null;
end
$backfill$;

alter table auth.users add column if not exists is_sso_user boolean not null default false;
do $email$
begin
  alter table auth.users drop constraint if exists users_email_key;
exception
  when dependent_objects_still_exist then
    raise notice 'constraint users_email_key stays, something of yours depends on it: SSO users cannot share an address';
end
$email$;
create unique index if not exists users_email_partial_key on auth.users (email) where is_sso_user = false;

alter table auth.identities
  add column if not exists email text generated always as (lower(identity_data ->> 'email')) stored;
create index if not exists identities_email_idx on auth.identities (email text_pattern_ops);

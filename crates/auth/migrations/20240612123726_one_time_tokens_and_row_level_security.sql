-- covers: 20240115144230 20240214120130 20240306115329 20240314092811 20240427152123 20240612123726
--
-- One-time tokens of all kinds in one table, anonymous users, and row level security without any
-- policy on every table: the owner passes, nobody else does.

alter table auth.saml_relay_states drop column if exists from_ip_address;

alter table auth.users add column if not exists is_anonymous boolean not null default false;
create index if not exists users_is_anonymous_idx on auth.users (is_anonymous);

alter table auth.flow_state add column if not exists auth_code_issued_at timestamptz;
alter table auth.saml_providers add column if not exists name_id_format text;

do $types$
begin
  if to_regtype('auth.one_time_token_type') is null then
    create type auth.one_time_token_type as enum (
      'confirmation_token',
      'reauthentication_token',
      'recovery_token',
      'email_change_token_new',
      'email_change_token_current',
      'phone_change_token'
    );
  end if;
end
$types$;

create table if not exists auth.one_time_tokens (
  id uuid not null,
  user_id uuid not null,
  token_type auth.one_time_token_type not null,
  token_hash text not null,
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now(),
  constraint one_time_tokens_pkey primary key (id),
  constraint one_time_tokens_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint one_time_tokens_token_hash_check check (char_length(token_hash) > 0)
);
create index if not exists one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create index if not exists one_time_tokens_relates_to_hash_idx on auth.one_time_tokens using hash (relates_to);
create unique index if not exists one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type);

do $security$
declare
  guarded text;
begin
  foreach guarded in array array[
    'schema_migrations', 'instances', 'users', 'audit_log_entries', 'saml_relay_states', 'refresh_tokens',
    'mfa_factors', 'sessions', 'sso_providers', 'sso_domains', 'mfa_challenges', 'mfa_amr_claims',
    'saml_providers', 'flow_state', 'identities', 'one_time_tokens']
  loop
    execute format('alter table auth.%I enable row level security', guarded);
    -- So that a project can let a role of its own read, say, the audit log.
    execute format('grant select on auth.%I to postgres with grant option', guarded);
  end loop;
end
$security$;

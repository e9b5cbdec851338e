-- covers: 00 20171026211738 20171026211808 20171026211834 20180103212743 20180108183307 20180119214651 20180125194653
-- covers: 20210710035447 20210722035447 20210730183235 20210909172000 20210927181326 20211122151130 20211124214934
-- covers: 20211202183645 20220114185221 20220114185340 20220224000811 20220323170000 20220429102000 20220531120530
-- covers: 20220614074223
--
-- Users, the identities they sign in with, refresh tokens, the audit log.
-- Source: supabase/auth, migrations; the ids of 2017 and 2018 are those that supabase/postgres writes.
--
-- Every file of this folder brings the schema from any upstream state before its last id to exactly
-- the upstream state at that id, and changes nothing in a schema that is further. Hence the guards.
-- The functions auth.uid() and so on, which some of these ids made, belong to the bootstrap.

create table if not exists auth.schema_migrations (
  version varchar(255) not null,
  constraint schema_migrations_pkey primary key (version)
);

-- Left over from the days of one server for many sites. Always empty, but dumps contain it.
create table if not exists auth.instances (
  id uuid not null,
  uuid uuid,
  raw_base_config text,
  created_at timestamptz,
  updated_at timestamptz,
  constraint instances_pkey primary key (id)
);

create table if not exists auth.users (
  instance_id uuid,
  id uuid not null,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  constraint users_pkey primary key (id)
);

-- Two columns of the first versions got other names. The name confirmed_at came back later, as a
-- generated column: only the stored one is the old email_confirmed_at.
do $rename$
begin
  if exists (
    select from pg_attribute
    where attrelid = 'auth.users'::regclass and attname = 'confirmed_at' and attgenerated = '')
  then
    alter table auth.users rename column confirmed_at to email_confirmed_at;
  end if;
  if exists (
    select from pg_attribute
    where attrelid = 'auth.users'::regclass and attname = 'email_change_token' and not attisdropped)
  then
    alter table auth.users rename column email_change_token to email_change_token_new;
  end if;
end
$rename$;

-- The defaults of the phone columns keep the type these once had: a dump says so too.
alter table auth.users
  add column if not exists phone text default null::varchar,
  add column if not exists phone_confirmed_at timestamptz,
  add column if not exists phone_change text default ''::varchar,
  add column if not exists phone_change_token varchar(255) default '',
  add column if not exists phone_change_sent_at timestamptz;
alter table auth.users
  add column if not exists confirmed_at timestamptz
    generated always as (least(email_confirmed_at, phone_confirmed_at)) stored;
alter table auth.users
  add column if not exists email_change_token_current varchar(255) default '',
  add column if not exists email_change_confirm_status smallint default 0
    constraint users_email_change_confirm_status_check
    check (email_change_confirm_status >= 0 and email_change_confirm_status <= 2),
  add column if not exists banned_until timestamptz,
  add column if not exists reauthentication_token varchar(255) default '',
  add column if not exists reauthentication_sent_at timestamptz;

do $phone$
begin
  if not exists (select from pg_constraint where conrelid = 'auth.users'::regclass and conname = 'users_phone_key') then
    alter table auth.users add constraint users_phone_key unique (phone);
  end if;
end
$phone$;

-- Indexes of these names that were defined otherwise are made anew: over the address in lower case,
-- and over tokens that are no one-time codes (those need not differ between users).
do $outdated$
declare
  outdated regclass;
begin
  for outdated in
    select indexrelid::regclass
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where indrelid = 'auth.users'::regclass
      and case relname
        when 'users_instance_id_email_idx' then indexprs is null
        when 'confirmation_token_idx' then indpred is null
        when 'recovery_token_idx' then indpred is null
        when 'email_change_token_current_idx' then indpred is null
        when 'email_change_token_new_idx' then indpred is null
        when 'reauthentication_token_idx' then indpred is null
        else false
      end
  loop
    execute format('drop index %s', outdated);
  end loop;
end
$outdated$;

create index if not exists users_instance_id_idx on auth.users (instance_id);
create index if not exists users_instance_id_email_idx on auth.users (instance_id, lower(email));
create unique index if not exists confirmation_token_idx on auth.users (confirmation_token)
  where confirmation_token !~ '^[0-9 ]*$';
create unique index if not exists recovery_token_idx on auth.users (recovery_token)
  where recovery_token !~ '^[0-9 ]*$';
create unique index if not exists email_change_token_current_idx on auth.users (email_change_token_current)
  where email_change_token_current !~ '^[0-9 ]*$';
create unique index if not exists email_change_token_new_idx on auth.users (email_change_token_new)
  where email_change_token_new !~ '^[0-9 ]*$';
create unique index if not exists reauthentication_token_idx on auth.users (reauthentication_token)
  where reauthentication_token !~ '^[0-9 ]*$';

-- user_id is text here and has no foreign key: tokens go with their session, see the next file.
create table if not exists auth.refresh_tokens (
  instance_id uuid,
  id bigserial not null,
  token varchar(255),
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  constraint refresh_tokens_pkey primary key (id)
);
alter table auth.refresh_tokens add column if not exists parent varchar(255);

do $token$
begin
  if not exists (
    select from pg_constraint
    where conrelid = 'auth.refresh_tokens'::regclass and conname = 'refresh_tokens_token_unique')
  then
    alter table auth.refresh_tokens add constraint refresh_tokens_token_unique unique (token);
  end if;
end
$token$;

create index if not exists refresh_tokens_instance_id_idx on auth.refresh_tokens (instance_id);
create index if not exists refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);
create index if not exists refresh_tokens_parent_idx on auth.refresh_tokens (parent);

-- The name a provider has for the user. Its column gets the name provider_id, and the table a key of
-- its own, in 20231117164230.
create table if not exists auth.identities (
  id text not null,
  user_id uuid not null,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  constraint identities_pkey primary key (provider, id),
  constraint identities_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
create index if not exists identities_user_id_idx on auth.identities (user_id);

create table if not exists auth.audit_log_entries (
  instance_id uuid,
  id uuid not null,
  payload json,
  created_at timestamptz,
  constraint audit_log_entries_pkey primary key (id)
);
alter table auth.audit_log_entries add column if not exists ip_address varchar(64) not null default '';
create index if not exists audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);

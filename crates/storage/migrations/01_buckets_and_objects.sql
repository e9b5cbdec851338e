-- covers: create-migrations-table initialmigration storage-schema pathtoken-column add-migrations-rls add-rls-to-buckets
-- covers: add-public-to-buckets add-automatic-avif-detection-flag add-bucket-custom-limits use-bytes-for-max-size add-version
-- covers: drop-owner-foreign-key add_owner_id_column_deprecate_owner alter-default-value-objects-id
-- covers: object-bucket-name-sorting objects-level-index
-- covers: objects-prefixes create-prefixes update-object-levels backward-compatible-index-on-objects
-- covers: backward-compatible-index-on-prefixes add-insert-trigger-prefixes fix-prefix-race-conditions-optimized
-- covers: add-object-level-update-trigger rollback-prefix-triggers fix-object-level iceberg-catalog-flag-on-buckets
-- covers: vector-bucket-type buckets-objects-grants buckets-objects-grants-postgres index-backward-compatible-search
-- covers: drop-not-used-indexes-and-functions drop-index-lower-name drop-index-object-level object-versioning-core
--
-- Buckets, objects and the bookkeeping table. Source: supabase/storage, migrations/tenant.
--
-- Every file of this folder brings the schema from any upstream state to upstream's last one and changes nothing in a
-- schema that is there already. Some upstream migrations made tables, triggers and indexes for an index of folders that
-- later ones took away again; what is left of it in an old database goes here.
set local search_path = '';

create table if not exists storage.migrations (
  id integer primary key,
  name varchar(100) unique not null,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);
alter table storage.migrations enable row level security;

do $type$
begin
  if to_regtype('storage.buckettype') is null then
    create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
  end if;
  -- In a database of an older version. The value may be used by the transactions after this one.
  alter type storage.buckettype add value if not exists 'VECTOR';
end
$type$;

create table if not exists storage.buckets (
  id text not null,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD',
  constraint buckets_pkey primary key (id)
);

do $old_limit$
begin
  if not exists (
    select
    from pg_attribute
    where attrelid = 'storage.buckets'::regclass and attname = 'max_file_size_kb' and not attisdropped)
  then
    return;
  end if;
  if exists (
    select
    from pg_attribute
    where attrelid = 'storage.buckets'::regclass and attname = 'file_size_limit' and not attisdropped)
  then
    alter table storage.buckets drop column max_file_size_kb;
  else
    alter table storage.buckets rename column max_file_size_kb to file_size_limit;
    alter table storage.buckets alter column file_size_limit type bigint;
  end if;
end
$old_limit$;

alter table storage.buckets
  add column if not exists public boolean default false,
  add column if not exists avif_autodetection boolean default false,
  add column if not exists file_size_limit bigint,
  add column if not exists allowed_mime_types text[],
  add column if not exists owner_id text,
  add column if not exists type storage.buckettype not null default 'STANDARD',
  add column if not exists versioning_status text not null default 'DISABLED',
  drop column if exists iceberg_catalog,
  drop constraint if exists buckets_owner_fkey;
create unique index if not exists bname on storage.buckets (name);
alter table storage.buckets enable row level security;
comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

create table if not exists storage.objects (
  id uuid not null default gen_random_uuid(),
  bucket_id text,
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  constraint objects_pkey primary key (id),
  constraint "objects_bucketId_fkey" foreign key (bucket_id) references storage.buckets (id)
);

-- What is left of the index of folders.
drop trigger if exists objects_insert_create_prefix on storage.objects;
drop trigger if exists objects_update_create_prefix on storage.objects;
drop trigger if exists objects_delete_delete_prefix on storage.objects;
drop trigger if exists objects_update_level_trigger on storage.objects;
drop trigger if exists objects_delete_cleanup on storage.objects;
drop trigger if exists objects_update_cleanup on storage.objects;
drop table if exists storage.prefixes cascade;
drop index if exists storage.objects_bucket_id_level_idx;
drop index if exists storage.idx_name_bucket_level_unique;
drop index if exists storage.idx_name_bucket_unique;
drop index if exists storage.idx_objects_lower_name;

alter table storage.objects
  add column if not exists path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  add column if not exists version text,
  add column if not exists owner_id text,
  add column if not exists user_metadata jsonb,
  add column if not exists archived_at timestamptz,
  add column if not exists is_delete_marker boolean not null default false,
  add column if not exists is_versioned boolean not null default false,
  alter column id set default gen_random_uuid(),
  drop column if exists level,
  drop constraint if exists objects_owner_fkey;
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
create index if not exists name_prefix_search on storage.objects (name text_pattern_ops);
create index if not exists idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index if not exists idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name) collate "C");
alter table storage.objects enable row level security;
comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';

-- Upstream prepares object versions. The last constraint says that no bucket can have them yet.
do $constraints$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('buckets_versioning_status_check', $$versioning_status in ('DISABLED', 'ENABLED', 'SUSPENDED')$$),
      ('buckets_versioning_standard_only_check', $$type = 'STANDARD' or versioning_status = 'DISABLED'$$),
      ('buckets_versioning_dark_check', $$versioning_status = 'DISABLED'$$)
    ) as constraints (name, condition)
  loop
    continue when exists (
      select from pg_constraint where conrelid = 'storage.buckets'::regclass and conname = wanted.name);
    execute format('alter table storage.buckets add constraint %I check (%s)', wanted.name, wanted.condition);
  end loop;
end
$constraints$;

do $grants$
declare
  role name;
begin
  foreach role in array array['anon', 'authenticated', 'service_role'] loop
    continue when to_regrole(role) is null;
    execute format('grant all on storage.buckets, storage.objects to %I', role);
  end loop;
  -- `postgres` runs the project's migrations, which grant rights to other roles.
  if to_regrole('postgres') is not null and current_user <> 'postgres' then
    grant all on storage.buckets, storage.objects to postgres with grant option;
  end if;
end
$grants$;

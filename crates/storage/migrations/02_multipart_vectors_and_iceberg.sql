-- covers: s3-multipart-uploads s3-multipart-uploads-big-ints custom-metadata iceberg-catalog-flag-on-buckets vector-buckets
-- covers: iceberg-table-metadata iceberg-catalog-ids s3-multipart-uploads-metadata
--
-- Multipart uploads of the S3 protocol, vector buckets and Iceberg catalogs. Source: supabase/storage, migrations/tenant.
set local search_path = '';

create table if not exists storage.s3_multipart_uploads (
  id text primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now()
);
alter table storage.s3_multipart_uploads
  alter column in_progress_size type bigint,
  add column if not exists user_metadata jsonb,
  add column if not exists metadata jsonb;
create index if not exists idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);

create table if not exists storage.s3_multipart_uploads_parts (
  id uuid primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);
alter table storage.s3_multipart_uploads_parts alter column size type bigint;

create table if not exists storage.buckets_vectors (
  id text not null primary key,
  type storage.buckettype not null default 'VECTOR',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists storage.vector_indexes (
  id text primary key default gen_random_uuid(),
  name text collate "C" not null,
  bucket_id text not null references storage.buckets_vectors (id),
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists vector_indexes_name_bucket_id_idx on storage.vector_indexes (name, bucket_id);

-- A catalog's id was its name once. Namespaces and tables then pointed at the name, in a column bucket_id.
do $named_catalogs$
declare
  relation regclass;
begin
  foreach relation in array array[
    to_regclass('storage.buckets_analytics'), to_regclass('storage.iceberg_namespaces'),
    to_regclass('storage.iceberg_tables')]
  loop
    continue when relation is null;
    if relation = to_regclass('storage.buckets_analytics') then
      if not exists (select from pg_attribute where attrelid = relation and attname = 'name') then
        -- With the references to the name.
        alter table storage.buckets_analytics drop constraint if exists buckets_analytics_pkey cascade;
        alter table storage.buckets_analytics rename column id to name;
        alter table storage.buckets_analytics add column id uuid not null default gen_random_uuid() primary key;
      end if;
      alter table storage.buckets_analytics
        add column if not exists type storage.buckettype not null default 'ANALYTICS',
        add column if not exists deleted_at timestamptz;
    else
      if not exists (select from pg_attribute where attrelid = relation and attname = 'bucket_name') then
        -- The indexes of the old column are made anew below.
        drop index if exists storage.idx_iceberg_namespaces_bucket_id;
        drop index if exists storage.idx_iceberg_tables_namespace_id;
        execute format('alter table %s rename column bucket_id to bucket_name', relation);
      end if;
      if not exists (select from pg_attribute where attrelid = relation and attname = 'catalog_id') then
        execute format('alter table %s add column catalog_id uuid', relation);
        execute format('update %s as child set catalog_id = catalog.id from storage.buckets_analytics as catalog '
          'where catalog.name = child.bucket_name', relation);
        execute format('alter table %s alter column catalog_id set not null', relation);
      end if;
    end if;
  end loop;
end
$named_catalogs$;

create table if not exists storage.buckets_analytics (
  name text not null,
  type storage.buckettype not null default 'ANALYTICS',
  format text not null default 'ICEBERG',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  id uuid not null default gen_random_uuid() primary key,
  deleted_at timestamptz
);
create unique index if not exists buckets_analytics_unique_name_idx on storage.buckets_analytics (name)
  where deleted_at is null;

create table if not exists storage.iceberg_namespaces (
  id uuid primary key default gen_random_uuid(),
  bucket_name text not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table storage.iceberg_namespaces
  add column if not exists metadata jsonb not null default '{}',
  add column if not exists catalog_id uuid not null;
create unique index if not exists idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces (catalog_id, name);

create table if not exists storage.iceberg_tables (
  id uuid primary key default gen_random_uuid(),
  namespace_id uuid not null references storage.iceberg_namespaces (id) on delete cascade,
  bucket_name text not null,
  name text collate "C" not null,
  location text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table storage.iceberg_tables
  add column if not exists remote_table_id text,
  add column if not exists shard_key text,
  add column if not exists shard_id text,
  add column if not exists catalog_id uuid not null;
create unique index if not exists idx_iceberg_tables_namespace_id
  on storage.iceberg_tables (catalog_id, namespace_id, name);
create unique index if not exists idx_iceberg_tables_location on storage.iceberg_tables (location);

do $catalogs$
declare
  child text;
begin
  foreach child in array array['iceberg_namespaces', 'iceberg_tables'] loop
    continue when exists (
      select
      from pg_constraint
      where conrelid = format('storage.%I', child)::regclass and conname = child || '_catalog_id_fkey');
    execute format('alter table storage.%I add constraint %I foreign key (catalog_id) '
      'references storage.buckets_analytics (id) on delete cascade', child, child || '_catalog_id_fkey');
  end loop;
end
$catalogs$;

alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
alter table storage.buckets_vectors enable row level security;
alter table storage.vector_indexes enable row level security;
alter table storage.buckets_analytics enable row level security;
alter table storage.iceberg_namespaces enable row level security;
alter table storage.iceberg_tables enable row level security;

do $grants$
declare
  role name;
  readable constant text :=
    'storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts, storage.iceberg_namespaces, storage.iceberg_tables';
begin
  foreach role in array array['anon', 'authenticated'] loop
    continue when to_regrole(role) is null;
    execute format('revoke all on %s from %I', readable, role);
    execute format('grant select on %s to %I', readable, role);
    execute format('grant select on storage.buckets_vectors, storage.vector_indexes to %I', role);
    execute format('grant all on storage.buckets_analytics to %I', role);
  end loop;
  if to_regrole('service_role') is not null then
    execute format('grant all on %s, storage.buckets_analytics to service_role', readable);
    grant select on storage.buckets_vectors, storage.vector_indexes to service_role;
  end if;
end
$grants$;

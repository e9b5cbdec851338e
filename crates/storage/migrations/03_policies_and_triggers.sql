-- covers: add-size-functions change-column-name-in-get-size add-trigger-to-auto-update-updated_at-column
-- covers: add-can-insert-object-function operation-function optimise-existing-functions add-bucket-name-length-trigger
-- covers: prevent-direct-deletes operation-ergonomics drop-unused-functions optimize-existing-functions-again
-- covers: mark-filename-immutable
--
-- What policies call, and the triggers. Source: supabase/storage, migrations/tenant: the signatures, volatility and results
-- are theirs.
set local search_path = '';

-- Functions of older versions that are gone, or came with other results, which `create or replace` refuses to change.
do $old_functions$
declare
  old regprocedure;
begin
  for old in
    select oid
    from pg_proc
    where pronamespace = 'storage'::regnamespace
      and (proname in (
          'objects_delete_cleanup', 'objects_update_cleanup', 'prefixes_delete_cleanup', 'objects_insert_prefix_trigger',
          'delete_prefix_hierarchy_trigger', 'prefixes_insert_trigger', 'delete_leaf_prefixes', 'get_level',
          'get_prefixes', 'delete_prefix', 'add_prefixes', 'get_prefix', 'objects_update_level_trigger',
          'objects_update_prefix_trigger', 'lock_top_prefixes', 'search_v1_optimised', 'search_legacy_v1')
        or (proname in ('search', 'search_v2', 'list_objects_with_delimiter', 'get_size_by_bucket')
          and not exists (select from storage.migrations where name = 'optimize-existing-functions-again')))
  loop
    execute format('drop function %s cascade', old);
  end loop;
end
$old_functions$;

create or replace function storage.foldername(name text) returns text[]
language plpgsql immutable
as $$
declare
  tokens constant text[] := string_to_array(name, '/');
begin
  return tokens[1:cardinality(tokens) - 1];
end
$$;

create or replace function storage.filename(name text) returns text
language plpgsql immutable
as $$
begin
  return split_part(name, '/', -1);
end
$$;

-- What follows the last dot of the file's name, or the whole name if there is none.
create or replace function storage.extension(name text) returns text
language plpgsql immutable
as $$
begin
  return split_part(split_part(name, '/', -1), '.', -1);
end
$$;

-- The storage operation that a policy is asked for, such as storage.object.upload.
create or replace function storage.operation() returns text
language plpgsql stable
as $$
begin
  return current_setting('storage.operation', true);
end
$$;

-- Whether the operation is this one. The prefix `storage.` may be left out.
create or replace function storage.allow_only_operation(expected_operation text) returns boolean
language sql stable
as $$
  select coalesce(
    expected_operation <> ''
    and regexp_replace(storage.operation(), '^storage\.', '') = regexp_replace(expected_operation, '^storage\.', ''),
    false)
$$;

create or replace function storage.allow_any_operation(expected_operations text[]) returns boolean
language sql stable
as $$
  select exists (
    select
    from unnest(expected_operations) as expected
    where storage.allow_only_operation(expected))
$$;

-- Tries an insert and undoes it: PT200 when it would have succeeded.
create or replace function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;

create or replace function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
language plpgsql stable
as $$
begin
  return query
    select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id
    from storage.objects as o
    group by o.bucket_id;
end
$$;

create or replace function storage.update_updated_at_column() returns trigger
language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;

create or replace function storage.enforce_bucket_name_length() returns trigger
language plpgsql
as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end
$$;

-- Deleting a row without its file would leave the file behind for ever: only the service may delete, and it sets a flag
-- for that.
create or replace function storage.protect_delete() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), '') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end
$$;

create or replace trigger update_objects_updated_at
  before update on storage.objects for each row execute function storage.update_updated_at_column();
create or replace trigger enforce_bucket_name_length_trigger
  before insert or update of name on storage.buckets for each row execute function storage.enforce_bucket_name_length();
create or replace trigger protect_buckets_delete
  before delete on storage.buckets for each statement execute function storage.protect_delete();
create or replace trigger protect_objects_delete
  before delete on storage.objects for each statement execute function storage.protect_delete();

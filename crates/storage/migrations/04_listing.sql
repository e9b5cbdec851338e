-- covers: fix-search-function search-files-search-function list-objects-with-delimiter s3-multipart-uploads
-- covers: optimize-search-function search-v2 optimize-search-function-v1 add-search-v2-sort-support search-v2-optimised
-- covers: fix-optimized-search-function fix-search-name-relative-to-prefix
--
-- Functions that list objects and uploads. Source: supabase/storage, migrations/tenant: the signatures, volatility and
-- results are theirs.
--
-- DEVIATION (behaviour): in descending order a folder of one object after objects is listed; upstream leaves it out.
set local search_path = '';

-- The key up to and including the first delimiter after the prefix: its folder. Null for a key that is in no folder.
create or replace function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
language sql immutable
as $$
  select left(p_key, length(p_prefix) + nullif(position(p_delimiter in substring(p_key from length(p_prefix) + 1)), 0))
$$;

-- One page of a folder, by name: objects with their names, folders without the last delimiter and with null for the
-- rest. Reads as many index entries as it returns rows: a folder is skipped in one step, whatever its size.
create or replace function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100, start_after text default '',
  next_token text default '', sort_order text default 'asc')
returns table (
  name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
language plpgsql stable
as $$
declare
  ascending constant boolean := lower(coalesce(sort_order, 'asc')) = 'asc';
  prefix constant text := coalesce(prefix_param, '');
  after constant text := coalesce(nullif(next_token, ''), start_after, '');
  -- The first name after all that begin with `text`, bytewise.
  beyond_prefix constant text := left(prefix, -1) || chr(ascii(right(prefix, 1)) + 1);
  beyond_delimiter constant text := chr(ascii(delimiter_param) + 1);
  -- Ascending: the next name is this one or greater. Descending: it is less; null when there is no bound.
  seek text;
  folder text;
  left_to_return integer := max_keys;
  found_folder boolean;
  object record;
begin
  if after = '' then
    seek := case when ascending then prefix when prefix <> '' then beyond_prefix end;
  elsif exists (
    select
    from storage.objects as o
    where o.bucket_id = _bucket_id
      and o.name collate "C" >= after || delimiter_param
      and o.name collate "C" < after || beyond_delimiter)
  then
    seek := after || case when ascending then beyond_delimiter else delimiter_param end;
  else
    seek := after || case when ascending then delimiter_param else '' end;
  end if;

  while left_to_return > 0 loop
    found_folder := false;
    for object in execute format(
      'select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at from storage.objects as o
       where o.bucket_id = $1 %s %s order by o.name collate "C" %s limit $4',
      case
        when ascending then 'and o.name collate "C" >= $2'
        when seek is not null then 'and o.name collate "C" < $2'
      end,
      case
        when prefix = '' then ''
        when ascending then 'and o.name collate "C" < $3'
        else 'and o.name collate "C" >= $3'
      end,
      case when ascending then 'asc' else 'desc' end)
    using _bucket_id, seek, case when ascending then beyond_prefix else prefix end, left_to_return
    loop
      folder := storage.get_common_prefix(object.name, prefix, delimiter_param);
      found_folder := folder is not null;
      if found_folder then
        name := rtrim(folder, delimiter_param);
        id := null;
        metadata := null;
        updated_at := null;
        created_at := null;
        last_accessed_at := null;
        seek := case when ascending then left(folder, -1) || beyond_delimiter else folder end;
      else
        name := object.name;
        id := object.id;
        metadata := object.metadata;
        updated_at := object.updated_at;
        created_at := object.created_at;
        last_accessed_at := object.last_accessed_at;
      end if;
      return next;
      left_to_return := left_to_return - 1;
      exit when found_folder;
    end loop;
    exit when not found_folder;
  end loop;
end
$$;

-- As list_objects_with_delimiter, by a time. A folder is as old as the first object in it.
create or replace function storage.search_by_timestamp(
  p_prefix text, p_bucket_id text, p_limit integer, p_level integer, p_start_after text, p_sort_order text,
  p_sort_column text, p_sort_column_after text)
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
  metadata jsonb)
language plpgsql stable
as $$
declare
  direction constant text := case when p_sort_order = 'asc' then 'asc' else 'desc' end;
begin
  return query execute format(
    'with found as (
       select o.*, storage.get_common_prefix(o.name, $1, ''/'') as folder
       from storage.objects as o
       where o.bucket_id = $2 and starts_with(o.name, $1)
     ), entries as (
       select rtrim(folder, ''/'') as name, null::uuid as id, min(created_at) as updated_at,
         min(created_at) as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
       from found
       where folder is not null
       group by folder
       union all
       select name, id, updated_at, created_at, last_accessed_at, metadata
       from found
       where folder is null
     )
     select split_part(name, ''/'', $3), name, id, updated_at, created_at, last_accessed_at, metadata
     from entries
     where $4 = '''' or (date_trunc(''milliseconds'', %1$I), name collate "C")
       %2$s (coalesce(nullif($5, '''')::timestamptz, ''epoch''), $4)
     order by coalesce(date_trunc(''milliseconds'', %1$I), ''epoch'') %3$s, name collate "C" %3$s
     limit $6',
    p_sort_column, case direction when 'asc' then '>' else '<' end, direction)
  using coalesce(p_prefix, ''), p_bucket_id, p_level, coalesce(p_start_after, ''), p_sort_column_after, p_limit;
end
$$;

-- One page of a folder. At most 1500 rows; an unknown column is `name`.
create or replace function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default '')
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
  metadata jsonb)
language plpgsql stable
as $$
declare
  direction constant text := case when lower(sort_order) = 'desc' then 'desc' else 'asc' end;
  at_most constant integer := least(coalesce(limits, 100), 1500);
begin
  if lower(sort_column) in ('updated_at', 'created_at') then
    return query
      select *
      from storage.search_by_timestamp(
        prefix, bucket_name, at_most, levels, start_after, direction, lower(sort_column), sort_column_after);
  else
    return query
      select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
      from storage.list_objects_with_delimiter(
        bucket_name, coalesce(prefix, ''), '/', at_most, start_after, '', direction) as l;
  end if;
end
$$;

-- A page of a folder by offset, as returned by `POST /object/list`. Names are relative to the prefix. Prefix and search
-- text are case-insensitive. Sorted by name, folders and objects mix; sorted by a time, folders come first, and both
-- texts are LIKE patterns, as upstream's service sends them.
create or replace function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc')
returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable
as $$
declare
  -- Out of the parameter's sight, which hides the column in queries.
  folder_length constant integer := length(coalesce(prefix, ''));
  start constant text := coalesce(prefix, '') || coalesce(search, '');
  lower_start constant text := lower(start);
  beyond_start constant text := left(lower_start, -1) || chr(ascii(right(lower_start, 1)) + 1);
  ascending constant boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
  time_column constant text := substring(lower(sortcolumn) from '^(?:updated_at|created_at|last_accessed_at)$');
  first_token constant integer := coalesce(cardinality(string_to_array(nullif(prefix, ''), '/')), 1);
  last_token constant integer := coalesce(cardinality(string_to_array(nullif(start, ''), '/')), 1);
  left_to_return integer := least(coalesce(limits, 100), 1500);
  to_skip integer := coalesce(offsets, 0);
  seek text := case when ascending then lower_start when start <> '' then beyond_start end;
  found_folder boolean;
  folder text;
  object record;
begin
  if time_column is not null then
    return query execute format(
      'with found as (
         select o.*, array_to_string(o.path_tokens[$1:$2], ''/'') as entry, cardinality(o.path_tokens) = $2 as is_object
         from storage.objects as o
         where o.bucket_id = $3 and lower(o.name) collate "C" like $4
       ), entries as (
         select distinct entry, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
           null::timestamptz as last_accessed_at, null::jsonb as metadata, 1 as rank
         from found
         where not is_object
         union all
         select entry, id, updated_at, created_at, last_accessed_at, metadata, 2 from found where is_object
       )
       select entry, id, updated_at, created_at, last_accessed_at, metadata
       from entries
       order by rank, %1$I %2$s, entry %2$s
       limit $5 offset $6',
      time_column, case when ascending then 'asc' else 'desc' end)
    using first_token, last_token, bucketname, lower_start || '%', left_to_return, to_skip;
    return;
  end if;

  while left_to_return > 0 loop
    found_folder := false;
    for object in execute format(
      'select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at from storage.objects as o
       where o.bucket_id = $1 %s %s order by lower(o.name) collate "C" %s limit $4',
      case
        when ascending then 'and lower(o.name) collate "C" >= $2'
        when seek is not null then 'and lower(o.name) collate "C" < $2'
      end,
      case
        when start = '' then ''
        when ascending then 'and lower(o.name) collate "C" < $3'
        else 'and lower(o.name) collate "C" >= $3'
      end,
      case when ascending then 'asc' else 'desc' end)
    using bucketname, seek, case when ascending then beyond_start else lower_start end, left_to_return + to_skip
    loop
      folder := storage.get_common_prefix(object.name, start, '/');
      found_folder := folder is not null;
      if found_folder then
        seek := lower(case when ascending then left(folder, -1) || '0' else folder end);
      end if;
      if to_skip > 0 then
        to_skip := to_skip - 1;
      else
        name := substring(coalesce(rtrim(folder, '/'), object.name) from folder_length + 1);
        id := case when not found_folder then object.id end;
        updated_at := case when not found_folder then object.updated_at end;
        created_at := case when not found_folder then object.created_at end;
        last_accessed_at := case when not found_folder then object.last_accessed_at end;
        metadata := case when not found_folder then object.metadata end;
        return next;
        left_to_return := left_to_return - 1;
      end if;
      exit when found_folder;
    end loop;
    exit when not found_folder;
  end loop;
end
$$;

-- Unfinished uploads below a prefix, one per key; those below a delimiter as their folder.
create or replace function storage.list_multipart_uploads_with_delimiter(
  bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100, next_key_token text default '',
  next_upload_token text default '')
returns table (key text, id text, created_at timestamptz)
language plpgsql
as $$
#variable_conflict use_column
declare
  bucket constant text := list_multipart_uploads_with_delimiter.bucket_id;
begin
  return query
    select distinct on (entry collate "C") entry, u.id, u.created_at
    from storage.s3_multipart_uploads as u,
      lateral (select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key)) as e (entry)
    where u.bucket_id = bucket
      and starts_with(u.key, prefix_param)
      and (next_key_token = '' or next_upload_token <> '' or entry collate "C" > next_key_token)
      and (next_upload_token = '' or u.id collate "C" > next_upload_token)
    order by entry collate "C", u.created_at
    limit max_keys;
end
$$;

-- A page of the folder $2 of the bucket $1, by name, after $3: objects, and folders without the last slash and with null for the rest.
-- Objects before the first folder are read in one go. Each step of the recursion then reads one entry of the index on bucket and
-- name, so that a folder costs the same whatever its size. The results are those of storage.search_v2(), which begins a query for
-- each folder.
with recursive place as (
  select
    case
      when $3::text = '' then $2::text
      when exists (
        select
        from storage.objects as o
        where o.bucket_id = $1::text and o.name collate "C" >= $3::text || '/' and o.name collate "C" < $3::text || '0')
      -- The slash is followed by the zero.
      then $3::text || '0'
      else $3::text || '/'
    end as first,
    -- The first name after all that begin with the prefix. No name is as great as the last character.
    case when $2::text = '' then chr(1114111) else left($2::text, -1) || chr(ascii(right($2::text, 1)) + 1) end as bound
), batch as materialized (
  select o.*
  from place
  cross join lateral (
    select name, id, updated_at, created_at, last_accessed_at, metadata,
      left(name, length($2::text) + nullif(position('/' in substring(name from length($2::text) + 1)), 0)) as folder
    from storage.objects
    where bucket_id = $1::text and name collate "C" >= place.first and name collate "C" < place.bound
    order by name collate "C"
    limit $4::integer) as o
), ahead as (
  select batch.*, row_number() over (order by name collate "C") as number
  from batch
  where name collate "C" < coalesce((select min(name collate "C") from batch where folder is not null), (select bound from place))
), entries as (
  (
    select name, id, updated_at, created_at, last_accessed_at, metadata, folder, (select count(*) from ahead) + 1 as number
    from batch
    where folder is not null
    order by name collate "C"
    limit 1
  )
  union all
  select entry.*, entries.number + 1
  from entries
  cross join place
  cross join lateral (
    select name, id, updated_at, created_at, last_accessed_at, metadata,
      left(name, length($2::text) + nullif(position('/' in substring(name from length($2::text) + 1)), 0))
    from storage.objects
    where bucket_id = $1::text
      and objects.name collate "C" >= case
        when entries.folder is null then entries.name || chr(1)
        else left(entries.folder, -1) || '0'
      end
      and objects.name collate "C" < place.bound
    order by name collate "C"
    limit 1) as entry
  where entries.number < $4::integer
), named as (
  select coalesce(rtrim(folder, '/'), name) as shown, found.*
  from (
    select name, id, updated_at, created_at, last_accessed_at, metadata, folder, number from ahead
    union all
    select name, id, updated_at, created_at, last_accessed_at, metadata, folder, number from entries
  ) as found
)
select split_part(shown, '/', $5::integer), shown, case when folder is null then id end, case when folder is null then updated_at end,
  case when folder is null then created_at end, case when folder is null then last_accessed_at end,
  case when folder is null then metadata end
from named
order by number

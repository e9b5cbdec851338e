-- As trusted.sql, for several lookups. The last column is the place of each.
select buckets.public, objects.id, objects.bucket_id, objects.name, objects.owner, objects.owner_id, objects.version, objects.metadata,
  objects.user_metadata, to_json(objects.created_at), to_json(objects.updated_at), to_json(objects.last_accessed_at), asked.place
from unnest($1::text[], $2::text[], $3::boolean[]) with ordinality as asked (bucket, name, is_signed, place)
join storage.buckets on buckets.id = asked.bucket
left join storage.objects
  on objects.bucket_id = buckets.id and objects.name = asked.name and (buckets.public or asked.is_signed)

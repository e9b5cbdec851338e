-- Whether a bucket is public, with the object $2 if it may be read without row policies: the bucket is public or the URL signed
-- ($3).
select buckets.public, objects.id, objects.bucket_id, objects.name, objects.owner, objects.owner_id, objects.version, objects.metadata,
  objects.user_metadata, to_json(objects.created_at), to_json(objects.updated_at), to_json(objects.last_accessed_at)
from storage.buckets
left join storage.objects on objects.bucket_id = buckets.id and objects.name = $2::text and (buckets.public or $3::boolean)
where buckets.id = $1::text

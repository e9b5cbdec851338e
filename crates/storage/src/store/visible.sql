-- An object, if the row policies show it to the caller.
select null, id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, to_json(created_at), to_json(updated_at),
  to_json(last_accessed_at)
from storage.objects where bucket_id = $1::text and name = $2::text

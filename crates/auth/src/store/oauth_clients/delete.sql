-- Consents stay and still name the client; its sessions cannot be refreshed any more.
-- $1 id, $2 now
update auth.oauth_clients set deleted_at = $2, updated_at = $2 where id = $1 and deleted_at is null

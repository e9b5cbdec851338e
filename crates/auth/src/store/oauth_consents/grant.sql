-- Only the newest consent counts, even if an older one granted more.
-- $1 user, $2 client, $3 scopes, $4 now
insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at)
values (gen_random_uuid(), $1, $2, $3, $4)
on conflict on constraint oauth_consents_user_client_unique
do update set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null

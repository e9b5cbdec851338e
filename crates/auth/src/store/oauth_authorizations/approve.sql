-- $1 row, $2 code, $3 now
update auth.oauth_authorizations
set status = 'approved', authorization_code = $2, approved_at = $3
where id = $1

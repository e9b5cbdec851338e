-- The columns of a session, after those of its user.
  s.id as session_id, s.created_at as session_created_at, s.not_after, s.aal::text as aal,
  s.refreshed_at at time zone 'utc' as refreshed_at, s.tag, s.oauth_client_id, s.scopes,
  s.refresh_token_hmac_key, s.refresh_token_counter,
  (
    select coalesce(json_agg(json_build_object(
      'method', a.authentication_method, 'at', a.updated_at) order by a.updated_at desc), '[]')
    from auth.mfa_amr_claims a where a.session_id = s.id
  ) as amr

-- The columns of a refresh token, after those of its user and session.
  t.id as token_id, t.revoked, t.updated_at as token_updated_at, active.token as active_token, active.parent as active_parent,
  not exists (
    select from auth.refresh_tokens c where c.session_id = t.session_id and c.id > t.id
  ) as is_newest

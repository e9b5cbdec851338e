-- covers: 20260625000001
-- Services that hold connections of a session, such as realtime with its channels, are notified when the session ends:
-- by a sign-out, a new password, the deletion of its user, or a statement written by hand. NOTIFY auth_session_ended,
-- '{"session_id": …, "user_id": …}'. This trigger is not part of GoTrue's schema, which is otherwise the same.
create or replace function auth.notify_session_ended() returns trigger
language plpgsql
set search_path = ''
as $function$
begin
  perform pg_catalog.pg_notify(
    'auth_session_ended',
    pg_catalog.json_build_object('session_id', e.id, 'user_id', e.user_id)::text)
  from ended e;
  return null;
end
$function$;

drop trigger if exists notify_session_ended on auth.sessions;
create trigger notify_session_ended after delete on auth.sessions
  referencing old table as ended
  for each statement execute function auth.notify_session_ended();

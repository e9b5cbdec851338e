-- covers: 20260625000001
-- Whoever serves a session besides this service, as realtime does with its channels, hears when it ends, by whichever way it
-- does: signing out, a new password, the end of its user, or a statement written by hand. NOTIFY auth_session_ended,
-- '{"session_id": …, "user_id": …}'. Not of GoTrue's schema, which is the same without it.
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

-- covers: 20260625000002
-- Services that were not listening when sessions ended, such as realtime after a lost connection, ask which of theirs have ended:
-- those that are gone, and those whose tokens were all revoked because one was used twice. Like the trigger that notifies of the
-- end, this is not part of GoTrue's schema.
create or replace function auth.ended_sessions(sessions uuid[]) returns setof uuid
language sql stable security definer
set search_path = ''
as $function$
  select asked.id
  from pg_catalog.unnest(sessions) as asked (id)
  left join auth.sessions as session on session.id = asked.id
  where session.id is null
    or (
      -- A session with a key has tokens that are signed instead of stored.
      session.refresh_token_hmac_key is null
      and exists (select from auth.refresh_tokens as token where token.session_id = asked.id)
      and not exists (
        select from auth.refresh_tokens as token where token.session_id = asked.id and token.revoked is not true)
    )
$function$;

revoke all on function auth.ended_sessions(uuid[]) from public;

do $grants$
begin
  if pg_catalog.to_regrole('supabase_realtime_admin') is not null then
    grant usage on schema auth to supabase_realtime_admin;
    grant execute on function auth.ended_sessions(uuid[]) to supabase_realtime_admin;
  end if;
end
$grants$;

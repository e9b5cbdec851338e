-- covers: 20260625000003
-- Storage asks, too: a token of an ended session opens no file.
do $grants$
begin
  if pg_catalog.to_regrole('authenticator') is not null then
    grant usage on schema auth to authenticator;
    grant execute on function auth.ended_sessions(uuid[]) to authenticator;
  end if;
end
$grants$;

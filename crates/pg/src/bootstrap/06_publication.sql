-- The publication to which projects add the tables that realtime watches. It is created empty and
-- belongs to postgres, so that `alter publication supabase_realtime add table …` works in migrations.
set local search_path = '';

do $publication$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    if current_user = 'supabase_admin' then
      alter publication supabase_realtime owner to postgres;
    end if;
  end if;
  -- Publishes realtime.messages, which only the owner of the table may.
  execute format('grant create on database %I to supabase_realtime_admin', current_database());
exception
  when insufficient_privilege then
    raise notice 'publication supabase_realtime is not created: that needs the right to create in this database';
end
$publication$;

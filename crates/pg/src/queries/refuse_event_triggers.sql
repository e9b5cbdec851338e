-- PostgreSQL before 17 cannot turn event triggers off. It runs their functions with the rights of the session, so a function
-- whose owner is no superuser could make that owner one. DO itself does not fire event triggers.
do $check$
declare
  unsafe record;
begin
  select trigger.evtname as name, trigger.evtfoid::pg_catalog.regprocedure::pg_catalog.text as function, owner.rolname as owner
  into unsafe
  from pg_catalog.pg_event_trigger as trigger
  join pg_catalog.pg_proc as function on function.oid operator(pg_catalog.=) trigger.evtfoid
  join pg_catalog.pg_roles as owner on owner.oid operator(pg_catalog.=) function.proowner
  where not owner.rolsuper
  limit 1;
  if found then
    raise exception 'event trigger "%" would run function %, which belongs to "%", with the superuser rights of "%"',
      unsafe.name, unsafe.function, unsafe.owner, session_user
      using errcode = 'insufficient_privilege',
            hint = pg_catalog.format('Drop it (drop event trigger %I), or give its function to a superuser (alter function %s '
              'owner to %I); PostgreSQL 17 and newer need neither.', unsafe.name, unsafe.function, session_user);
  end if;
end
$check$;

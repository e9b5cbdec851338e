-- The partitions of realtime.messages: one a day, from yesterday until in three days. Messages live for three days.
-- Two instances take turns; the number is arbitrary.
do $partitions$
declare
  today constant date := (now() at time zone 'utc')::date;
  day date;
  old record;
begin
  perform pg_catalog.pg_advisory_xact_lock(7235417243);
  for day in
    select generated::date
    from pg_catalog.generate_series(today - 1, today + 3, interval '1 day') as generated
  loop
    continue when exists (
      select
      from pg_catalog.pg_class as class
      where class.relname = 'messages_' || pg_catalog.to_char(day, 'YYYY_MM_DD')
        and class.relnamespace = 'realtime'::pg_catalog.regnamespace);
    begin
      execute pg_catalog.format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        'messages_' || pg_catalog.to_char(day, 'YYYY_MM_DD'), day, day + 1);
    exception
      -- A partition of the project's own covers the day.
      when invalid_object_definition then
        null;
    end;
  end loop;
  for old in
    select class.relname
    from pg_catalog.pg_inherits as inherits
    join pg_catalog.pg_class as class on class.oid = inherits.inhrelid
    where inherits.inhparent = 'realtime.messages'::pg_catalog.regclass
      and class.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
      and pg_catalog.to_date(pg_catalog.right(class.relname, 10), 'YYYY_MM_DD') < today - 3
  loop
    execute pg_catalog.format('drop table realtime.%I', old.relname);
  end loop;
end
$partitions$;

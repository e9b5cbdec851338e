-- Tables and functions of pg_cron 1.6 (https://github.com/citusdata/pg_cron, README). Dugout's worker runs the jobs
-- (crates/server/src/workers/cron). The schema is always `cron`, whatever CREATE EXTENSION names.
set local search_path = '';
-- A project may have created the schema already, to name it in CREATE EXTENSION.
do $schema$
begin
  if to_regnamespace('cron') is null then
    create schema cron;
  end if;
end
$schema$;

create sequence cron.jobid_seq;
create sequence cron.runid_seq;

create table cron.job (
  jobid bigint primary key default pg_catalog.nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default coalesce(inet_server_port(), current_setting('port')::integer),
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);

create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default pg_catalog.nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);

alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');

-- The values that a field of a schedule matches. Lists, ranges, steps and names, as in Vixie cron. `$` is the last day of the
-- month, represented by 0.
create function cron._values(field text, low integer, high integer, names text[])
returns integer[]
language plpgsql immutable strict
set search_path = ''
as $$
declare
  item text;
  part text[];
  first integer;
  last integer;
  step integer;
  found integer[] := '{}';
begin
  if field = '' then
    raise invalid_parameter_value;
  end if;
  foreach item in array string_to_array(lower(field), ',') loop
    part := regexp_match(item, '^(\*|\$|[a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?(?:/(\d{1,9}))?$');
    if part is null then
      raise invalid_parameter_value;
    end if;
    if part[1] = '$' then
      if high <> 31 or part[2] is not null or part[3] is not null then
        raise invalid_parameter_value;
      end if;
      found := found || 0;
      continue;
    end if;
    if part[1] = '*' then
      if part[2] is not null then
        raise invalid_parameter_value;
      end if;
      first := low;
      last := high;
    else
      first := case when part[1] ~ '^\d' then part[1]::integer else array_position(names, part[1]) - 1 + low end;
      last := case
        when part[2] is null then first
        when part[2] ~ '^\d' then part[2]::integer
        else array_position(names, part[2]) - 1 + low
      end;
    end if;
    step := coalesce(part[3]::integer, 1);
    if first is null or last is null or first < low or last > high or first > last or step < 1 then
      raise invalid_parameter_value;
    end if;
    found := found || array(select generate_series(first, last, step));
  end loop;
  return found;
end
$$;

-- Whether a schedule of five fields, or its short name, includes the minute of `moment`, in GMT.
create function cron._matches(schedule text, moment timestamptz)
returns boolean
language plpgsql immutable strict
set search_path = ''
as $$
declare
  months constant text[] := '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}';
  days constant text[] := '{sun,mon,tue,wed,thu,fri,sat}';
  here constant timestamp := moment at time zone 'UTC';
  today constant integer := extract(day from here);
  weekday constant integer := extract(dow from here);
  last_day constant integer := extract(day from date_trunc('month', here) + interval '1 month' - interval '1 day');
  field text[];
  in_month integer[];
  in_week integer[];
  on_day boolean;
  on_weekday boolean;
begin
  field := regexp_split_to_array(btrim(case lower(btrim(schedule))
    when '@yearly' then '0 0 1 1 *' when '@annually' then '0 0 1 1 *'
    when '@monthly' then '0 0 1 * *'
    when '@weekly' then '0 0 * * 0'
    when '@daily' then '0 0 * * *' when '@midnight' then '0 0 * * *'
    when '@hourly' then '0 * * * *'
    else schedule
  end, E' \t\n'), '\s+');
  if cardinality(field) <> 5 then
    raise invalid_parameter_value;
  end if;
  in_month := cron._values(field[3], 1, 31, '{}'::text[]);
  in_week := cron._values(field[5], 0, 7, days);
  on_day := today = any (in_month) or (0 = any (in_month) and today = last_day);
  on_weekday := weekday = any (in_week) or (weekday = 0 and 7 = any (in_week));
  return extract(minute from here)::integer = any (cron._values(field[1], 0, 59, '{}'::text[]))
    and extract(hour from here)::integer = any (cron._values(field[2], 0, 23, '{}'::text[]))
    and extract(month from here)::integer = any (cron._values(field[4], 1, 12, months))
    -- As in cron: if both fields of days are restricted, either may match; if one of them begins with a star, both must.
    and case when field[3] like '*%' or field[5] like '*%' then on_day and on_weekday else on_day or on_weekday end;
end
$$;

-- The seconds between two runs of an interval schedule; null for other schedules.
create function cron._seconds(schedule text)
returns integer
language sql immutable strict
set search_path = ''
as $$
  select seconds
  from (select ((regexp_match(schedule, '^\s*(\d{1,2})\s+seconds?\s*$', 'i'))[1])::integer) as found (seconds)
  where seconds between 1 and 59
$$;

create function cron._check_schedule(schedule text)
returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if cron._seconds(schedule) is null and lower(btrim(schedule)) <> '@reboot' then
    perform cron._matches(schedule, 'epoch');
  end if;
exception
  when others then
    raise exception 'invalid schedule: %', schedule
      using errcode = 'invalid_parameter_value',
            hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
end
$$;

-- A job runs in a login of its owner. So a role may schedule jobs only for roles that it is a member of, and never for a
-- superuser.
create function cron._check_job()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform cron._check_schedule(new.schedule);
  if not exists (select from pg_catalog.pg_roles where rolname = new.username) then
    raise exception 'role "%" does not exist', new.username using errcode = 'undefined_object';
  end if;
  if (select rolsuper from pg_catalog.pg_roles where rolname = new.username) then
    raise exception 'a job cannot belong to the superuser "%"', new.username
      using errcode = 'insufficient_privilege', hint = 'Schedule it as postgres.';
  end if;
  if not pg_catalog.pg_has_role(current_user, new.username, 'member') then
    raise exception 'permission denied to schedule a job as "%"', new.username using errcode = 'insufficient_privilege';
  end if;
  if new.database <> current_database() then
    raise exception 'jobs run in the database "%" only', current_database() using errcode = 'feature_not_supported';
  end if;
  return new;
end
$$;

create function cron._changed()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('dugout_workers', 'cron');
  return null;
end
$$;

create trigger check_job before insert or update on cron.job for each row execute function cron._check_job();
create trigger changed after insert or update or delete or truncate on cron.job for each statement execute function cron._changed();
-- The triggers must also fire under session_replication_role = replica.
alter table cron.job enable always trigger check_job;
alter table cron.job enable always trigger changed;

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
)
returns bigint
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  id bigint;
begin
  if job_name is null then
    raise exception 'job_name can not be NULL' using errcode = 'null_value_not_allowed';
  end if;
  insert into cron.job (jobname, schedule, command, database, username, active)
  values (
    schedule_in_database.job_name, schedule_in_database.schedule, schedule_in_database.command,
    schedule_in_database.database, coalesce(schedule_in_database.username, current_user), schedule_in_database.active)
  on conflict on constraint jobname_username_uniq do update
    set schedule = excluded.schedule, command = excluded.command, database = excluded.database, active = excluded.active
  returning jobid into id;
  return id;
end
$$;

create function cron.schedule(job_name text, schedule text, command text)
returns bigint
language sql
set search_path = ''
as $$ select cron.schedule_in_database(job_name, schedule, command, current_database()::text) $$;

create function cron.schedule(schedule text, command text)
returns bigint
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  id bigint;
begin
  insert into cron.job (schedule, command) values (schedule.schedule, schedule.command) returning jobid into id;
  return id;
end
$$;

create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
)
returns void
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
begin
  update cron.job
  set schedule = coalesce(alter_job.schedule, schedule),
      command = coalesce(alter_job.command, command),
      database = coalesce(alter_job.database, database),
      username = coalesce(alter_job.username, username),
      active = coalesce(alter_job.active, active)
  where jobid = job_id and pg_catalog.pg_has_role(current_user, username, 'member');
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id using errcode = 'invalid_parameter_value';
  end if;
end
$$;

create function cron.unschedule(job_id bigint)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  delete from cron.job where jobid = job_id and pg_catalog.pg_has_role(current_user, username, 'member');
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_id;
  end if;
  return true;
end
$$;

create function cron.unschedule(job_name text)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name;
  end if;
  return true;
end
$$;

revoke execute on all functions in schema cron from public;
grant usage on schema cron to postgres with grant option;
grant execute on all functions in schema cron to postgres with grant option;
grant select, insert, update, delete on cron.job to postgres with grant option;
grant select, delete on cron.job_run_details to postgres with grant option;
grant usage on sequence cron.jobid_seq to postgres with grant option;
grant select on cron.job, cron.job_run_details to public;

grant usage on schema cron to dugout_worker;
grant select on cron.job to dugout_worker;
grant select, insert, update on cron.job_run_details to dugout_worker;
grant usage on sequence cron.runid_seq to dugout_worker;
grant execute on function cron._matches(text, timestamptz), cron._seconds(text), cron._values(text, integer, integer, text[])
to dugout_worker;
select pg_catalog.pg_notify('dugout_workers', 'cron');

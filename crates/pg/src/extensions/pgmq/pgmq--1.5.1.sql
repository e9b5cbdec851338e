-- Types and functions of pgmq 1.5 (https://github.com/pgmq/pgmq, docs/api/sql). The schema is always `pgmq`. A queue belongs to
-- the role that created it.
--
-- DEVIATION (missing): partitioned queues are refused: they need pg_partman.
set local search_path = '';
create table pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);
select pg_catalog.pg_extension_config_dump('pgmq.meta', '');

create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
);
create type pgmq.queue_record as (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
  scrape_time timestamptz, queue_visible_length bigint
);

create function pgmq.validate_queue_name(queue_name text)
returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if queue_name is null or queue_name = '' then
    raise exception 'queue name must not be empty';
  end if;
  -- The longest derived name is archived_at_idx_<name>, and names have 63 bytes at most.
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  end if;
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or \''';
  end if;
end
$$;

create function pgmq.format_table_name(queue_name text, prefix text)
returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  perform pgmq.validate_queue_name(queue_name);
  return lower(prefix || '_' || queue_name);
end
$$;

create function pgmq._make(queue_name text, unlogged boolean)
returns void
language plpgsql
set search_path = ''
as $$
declare
  queue constant text := pgmq.format_table_name(queue_name, 'q');
  archive constant text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('pgmq.queue_' || queue_name));
  execute format(
    'create %s table if not exists pgmq.%I (
      msg_id bigint primary key generated always as identity,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )', case when unlogged then 'unlogged' end, queue);
  execute format(
    'create table if not exists pgmq.%I (
      msg_id bigint primary key,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      archived_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )', archive);
  execute format('create index if not exists %I on pgmq.%I (vt asc)', queue || '_vt_idx', queue);
  execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || queue_name, archive);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values (_make.queue_name, false, unlogged)
  on conflict do nothing;
end
$$;

create function pgmq.create_non_partitioned(queue_name text) returns void language sql set search_path = ''
as $$ select pgmq._make(queue_name, false) $$;

create function pgmq.create_unlogged(queue_name text) returns void language sql set search_path = ''
as $$ select pgmq._make(queue_name, true) $$;

create function pgmq."create"(queue_name text) returns void language sql set search_path = ''
as $$ select pgmq._make(queue_name, false) $$;

create function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
)
returns void
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'partitioned queues need pg_partman, which dugout does not have'
    using errcode = 'feature_not_supported', hint = 'Use pgmq.create() and delete archived messages by their archived_at.';
end
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql
set search_path = ''
as $$
begin
  if cardinality(headers) <> cardinality(msgs) then
    raise exception 'headers and msgs must have the same length';
  end if;
  return query execute format(
    'insert into pgmq.%I (vt, message, headers)
     select $3, message, header from unnest($1, coalesce($2, array_fill(null::jsonb, array[cardinality($1)]))) as given (message, header)
     returning msg_id', pgmq.format_table_name(queue_name, 'q')) using msgs, headers, delay;
end
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp()) $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[])
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer)
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay)) $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz)
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, null, delay) $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz)
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, array[msg], case when headers is not null then array[headers] end, delay) $$;
create function pgmq.send(queue_name text, msg jsonb) returns setof bigint language sql set search_path = ''
as $$ select pgmq.send(queue_name, msg, null, clock_timestamp()) $$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint language sql set search_path = ''
as $$ select pgmq.send(queue_name, msg, headers, clock_timestamp()) $$;
create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint language sql set search_path = ''
as $$ select pgmq.send(queue_name, msg, null, clock_timestamp() + make_interval(secs => delay)) $$;
create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint language sql set search_path = ''
as $$ select pgmq.send(queue_name, msg, null, delay) $$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer)
returns setof bigint language sql set search_path = ''
as $$ select pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay)) $$;

create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record
language plpgsql
set search_path = ''
as $$
begin
  return query execute format(
    'with chosen as (
       select msg_id from pgmq.%1$I
       where vt <= clock_timestamp() and ($3 = ''{}''::jsonb or message @> $3)
       order by msg_id limit $1 for update skip locked
     )
     update pgmq.%1$I as queue
     set vt = clock_timestamp() + make_interval(secs => $2), read_ct = read_ct + 1
     from chosen where queue.msg_id = chosen.msg_id
     returning queue.msg_id, queue.read_ct, queue.enqueued_at, queue.vt, queue.message, queue.headers',
    pgmq.format_table_name(queue_name, 'q')) using qty, vt, conditional;
end
$$;

create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
  conditional jsonb default '{}'
)
returns setof pgmq.message_record
language plpgsql
set search_path = ''
as $$
declare
  until constant timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found or clock_timestamp() >= until;
    perform pg_catalog.pg_sleep(poll_interval_ms / 1000.0);
  end loop;
end
$$;

create function pgmq.pop(queue_name text)
returns setof pgmq.message_record
language plpgsql
set search_path = ''
as $$
begin
  return query execute format(
    'with chosen as (
       select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
     )
     delete from pgmq.%1$I where msg_id in (select msg_id from chosen)
     returning msg_id, read_ct, enqueued_at, vt, message, headers', pgmq.format_table_name(queue_name, 'q'));
end
$$;

create function pgmq.archive(queue_name text, msg_ids bigint[])
returns setof bigint
language plpgsql
set search_path = ''
as $$
begin
  return query execute format(
    'with gone as (
       delete from pgmq.%I where msg_id = any ($1) returning msg_id, read_ct, enqueued_at, vt, message, headers
     )
     insert into pgmq.%I (msg_id, read_ct, enqueued_at, vt, message, headers)
     select msg_id, read_ct, enqueued_at, vt, message, headers from gone returning msg_id',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
end
$$;

create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql set search_path = ''
as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;

create function pgmq.delete(queue_name text, msg_ids bigint[])
returns setof bigint
language plpgsql
set search_path = ''
as $$
begin
  return query execute format(
    'delete from pgmq.%I where msg_id = any ($1) returning msg_id', pgmq.format_table_name(queue_name, 'q')) using msg_ids;
end
$$;

create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language sql set search_path = ''
as $$ select exists (select from pgmq.delete(queue_name, array[msg_id])) $$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer)
returns setof pgmq.message_record
language plpgsql
set search_path = ''
as $$
begin
  return query execute format(
    'update pgmq.%I set vt = clock_timestamp() + make_interval(secs => $2) where msg_id = $1
     returning msg_id, read_ct, enqueued_at, vt, message, headers', pgmq.format_table_name(queue_name, 'q')) using msg_id, vt;
end
$$;

create function pgmq.purge_queue(queue_name text)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  purged bigint;
begin
  execute format('with gone as (delete from pgmq.%I returning 1) select count(*) from gone',
    pgmq.format_table_name(queue_name, 'q')) into purged;
  return purged;
end
$$;

create function pgmq.drop_queue(queue_name text)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('pgmq.queue_' || queue_name));
  if not exists (select from pgmq.meta where meta.queue_name = drop_queue.queue_name) then
    raise notice 'pgmq queue `%` does not exist', queue_name;
    return false;
  end if;
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'a'));
  delete from pgmq.meta where meta.queue_name = drop_queue.queue_name;
  return true;
end
$$;

create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean language sql set search_path = ''
as $$ select pgmq.drop_queue(queue_name) $$;

create function pgmq.list_queues() returns setof pgmq.queue_record language sql set search_path = ''
as $$ select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta $$;

create function pgmq.metrics(queue_name text)
returns pgmq.metrics_result
language plpgsql
set search_path = ''
as $$
declare
  found pgmq.metrics_result;
  queue constant text := pgmq.format_table_name(queue_name, 'q');
begin
  execute format(
    'select $1, count(*), extract(epoch from now() - max(enqueued_at))::integer,
       extract(epoch from now() - min(enqueued_at))::integer,
       (select case when is_called then last_value else 0 end from pgmq.%I), now(),
       count(*) filter (where vt <= clock_timestamp())
     from pgmq.%I', queue || '_msg_id_seq', queue) into found using queue_name;
  return found;
end
$$;

create function pgmq.metrics_all() returns setof pgmq.metrics_result language sql set search_path = ''
as $$ select pgmq.metrics(queue_name) from pgmq.meta $$;

grant all on schema pgmq to postgres with grant option;
grant all on pgmq.meta to postgres with grant option;
grant execute on all functions in schema pgmq to postgres with grant option;

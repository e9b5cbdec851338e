-- covers: 20260709120001
--
-- What projects use of realtime in their migrations and triggers: messages with their row policies, topic(), send(),
-- broadcast_changes(), and the subscriptions. Source: supabase/realtime, lib/realtime/tenants/repo/migrations, in the state
-- of 20260709120000. The id is ours: upstream's ids also make the functions that read the WAL, which are not here.
--
-- Guarded throughout: a database that upstream has brought to any state comes out with the same objects.
set local search_path = '';

-- Messages were a plain table until 20241030150047, and live for three days: the policies are kept, the rows are not.
do $unpartitioned$
declare
  policies text[];
  statement text;
begin
  if not exists (select from pg_class where oid = to_regclass('realtime.messages') and relkind = 'r') then
    return;
  end if;
  select array_agg(format('create policy %I on realtime.messages as %s for %s to %s %s %s', policyname, permissive, cmd,
    (select string_agg(case when role = 'public' then 'public' else quote_ident(role) end, ', ') from unnest(roles) as role),
    'using (' || qual || ')', 'with check (' || with_check || ')'))
  into policies
  from pg_policies
  where schemaname = 'realtime' and tablename = 'messages';
  drop table realtime.messages;
  create table realtime.messages (
    topic text not null,
    extension text not null,
    payload jsonb,
    event text,
    private boolean default false,
    updated_at timestamp not null default now(),
    inserted_at timestamp not null default now(),
    id uuid not null default gen_random_uuid(),
    primary key (id, inserted_at)
  ) partition by range (inserted_at);
  foreach statement in array coalesce(policies, '{}') loop
    execute statement;
  end loop;
end
$unpartitioned$;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
alter table realtime.messages add column if not exists binary_payload bytea;
alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

do $types$
begin
  if not exists (
    select from pg_constraint where conrelid = 'realtime.messages'::regclass and conname = 'messages_payload_exclusive')
  then
    alter table realtime.messages
      add constraint messages_payload_exclusive check (payload is null or binary_payload is null) not valid;
  end if;
  if to_regtype('realtime.equality_op') is null then
    create type realtime.equality_op as enum (
      'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct');
    alter type realtime.equality_op owner to supabase_realtime_admin;
  end if;
  if to_regtype('realtime.user_defined_filter') is null then
    create type realtime.user_defined_filter as (
      column_name text, op realtime.equality_op, value text, negate boolean);
    alter type realtime.user_defined_filter owner to supabase_realtime_admin;
  end if;
end
$types$;

-- The topic that a policy on realtime.messages is asked about.
create or replace function realtime.topic() returns text
language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
alter function realtime.topic() owner to supabase_realtime_admin;

-- Sends a broadcast when the transaction commits. A failure is only a warning, so that it never fails the transaction that changes a row.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql
as $$
declare
  message constant uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    message, case when payload ? 'id' then payload else jsonb_set(payload, '{id}', to_jsonb(message)) end, event, topic,
    private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
alter function realtime.send(jsonb, text, text, boolean) owner to supabase_realtime_admin;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
alter function realtime.send_binary(bytea, text, text, boolean) owner to supabase_realtime_admin;

-- For row triggers: broadcasts what has changed, on a private topic.
create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
  level text default 'ROW')
returns void
language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
exception
  when others then
    raise exception 'Failed to process the row: %', sqlerrm;
end
$$;
alter function realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  owner to supabase_realtime_admin;

create or replace function realtime.to_regrole(role_name text) returns regrole
language sql immutable
as $$
  select role_name::regrole
$$;
alter function realtime.to_regrole(text) owner to supabase_realtime_admin;

create table if not exists realtime.subscription (
  id bigint generated always as identity,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
  created_at timestamp not null default timezone('utc', now()),
  action_filter text default '*' check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE')),
  selected_columns text[],
  constraint pk_subscription primary key (id)
);
alter table realtime.subscription owner to supabase_realtime_admin;
create index if not exists ix_realtime_subscription_entity on realtime.subscription (entity);

-- Older tables lack columns; theirs are rows of sockets that are gone.
do $subscription$
begin
  if not exists (
    select
    from pg_attribute
    where attrelid = 'realtime.subscription'::regclass and attname = 'selected_columns' and not attisdropped)
  then
    truncate realtime.subscription;
    alter table realtime.subscription
      add column if not exists action_filter text default '*'
        check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE')),
      add column selected_columns text[];
  end if;
  drop index if exists realtime.subscription_subscription_id_entity_filters_key;
  drop index if exists realtime.subscription_subscription_id_entity_filters_action_filter_key;
  -- PostgreSQL cuts the name that upstream writes to 63 bytes; this is what is left of it.
  create unique index if not exists subscription_subscription_id_entity_filters_action_filter_selec
    on realtime.subscription (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'));
end
$subscription$;

create table if not exists realtime.schema_migrations (
  version bigint primary key,
  inserted_at timestamp(0)
);

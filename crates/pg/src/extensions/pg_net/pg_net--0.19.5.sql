-- Tables and functions of pg_net (https://github.com/supabase/pg_net, README). Dugout's worker sends the requests
-- (crates/server/src/workers/net). The schema is always `net`, whatever CREATE EXTENSION names.
set local search_path = '';
-- A project may have created the schema already, to name it in CREATE EXTENSION.
do $schema$
begin
  if to_regnamespace('net') is null then
    create schema net;
  end if;
end
$schema$;
grant usage, create on schema net to dugout_worker;

create domain net.http_method as text check (value ilike 'get' or value ilike 'post' or value ilike 'delete');

-- DEVIATION (more): upstream's tables are unlogged and empty after a crash; here a request that was committed is sent.
create table net.http_request_queue (
  id bigserial primary key,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);

create table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);
create index on net._http_response (id);

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create function net._urlencode_string(string text)
returns text
language sql immutable strict parallel safe
set search_path = ''
as $$
  select coalesce(string_agg(
    case
      when byte between 48 and 57 or byte between 65 and 90 or byte between 97 and 122 or byte in (45, 46, 95, 126)
        then chr(byte)
      else '%' || upper(lpad(to_hex(byte), 2, '0'))
    end, '' order by at), '')
  from (
    select get_byte(convert_to(string, 'UTF8'), at) as byte, at
    from generate_series(0, octet_length(string) - 1) as at
  ) as bytes
$$;

create function net._encode_url_with_params_array(url text, params_array text[])
returns text
language sql immutable strict parallel safe
set search_path = ''
as $$
  select url || case when cardinality(params_array) = 0 then '' when url like '%?%' then '&' else '?' end
    || array_to_string(params_array, '&')
$$;

create function net._request(
  method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds integer
)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  query text[];
  id bigint;
begin
  if url is null then
    raise exception 'url must not be null' using errcode = 'null_value_not_allowed';
  end if;
  if timeout_milliseconds is null or timeout_milliseconds < 1 then
    raise exception 'timeout_milliseconds must be positive' using errcode = 'invalid_parameter_value';
  end if;
  select coalesce(array_agg(net._urlencode_string(key) || '=' || net._urlencode_string(value)), '{}')
  into query
  from jsonb_each_text(coalesce(params, '{}'));
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    _request.method, net._encode_url_with_params_array(_request.url, query), _request.headers, _request.body,
    _request.timeout_milliseconds)
  returning http_request_queue.id into id;
  return id;
end
$$;

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
)
returns bigint
language sql security definer
set search_path = ''
as $$ select net._request('GET'::text, url, params, headers, null::bytea, timeout_milliseconds) $$;

create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
)
returns bigint
language plpgsql security definer
set search_path = ''
as $$
declare
  kind constant text := (
    select value from jsonb_each_text(coalesce(headers, '{}')) where lower(key) = 'content-type' limit 1);
begin
  if kind is null then
    headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
  elsif kind not ilike 'application/json%' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  return net._request('POST'::text, url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds);
end
$$;

create function net.http_delete(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000,
  body jsonb default null
)
returns bigint
language sql security definer
set search_path = ''
as $$ select net._request('DELETE'::text, url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds) $$;

create function net._http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql security definer
set search_path = ''
as $$
declare
  found net._http_response;
begin
  loop
    select * into found from net._http_response as response where response.id = request_id;
    exit when found.id is not null;
    if async and exists (select from net.http_request_queue as request where request.id = request_id) then
      return ('PENDING', 'request is pending processing', null)::net.http_response_result;
    elsif async or not exists (select from net.http_request_queue as request where request.id = request_id) then
      return ('ERROR', 'request matching request_id not found', null)::net.http_response_result;
    end if;
    perform pg_catalog.pg_sleep(0.05);
  end loop;
  if found.error_msg is not null then
    return ('ERROR', found.error_msg, null)::net.http_response_result;
  end if;
  return ('SUCCESS', 'ok', (found.status_code, found.headers, found.content)::net.http_response)::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
set search_path = ''
as $$
begin
  raise notice 'The net.http_collect_response function is deprecated.';
  return net._http_collect_response(request_id, async);
end
$$;

create function net.worker_restart() returns boolean language sql set search_path = '' as $$ select true $$;
create function net.check_worker_is_up() returns void language sql set search_path = '' as $$ select null $$;

create function net._changed()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('dugout_workers', 'net');
  return null;
end
$$;
create trigger changed after insert on net.http_request_queue for each statement execute function net._changed();
alter table net.http_request_queue enable always trigger changed;

-- The functions run with the rights of this role, which may access these tables only.
alter table net.http_request_queue owner to dugout_worker;
alter table net._http_response owner to dugout_worker;
alter function net._request(text, text, jsonb, jsonb, bytea, integer) owner to dugout_worker;
alter function net.http_get(text, jsonb, jsonb, integer) owner to dugout_worker;
alter function net.http_post(text, jsonb, jsonb, jsonb, integer) owner to dugout_worker;
alter function net.http_delete(text, jsonb, jsonb, integer, jsonb) owner to dugout_worker;
alter function net._http_collect_response(bigint, boolean) owner to dugout_worker;

revoke create on schema net from dugout_worker;
revoke execute on all functions in schema net from public;
grant usage on schema net to supabase_functions_admin, postgres, anon, authenticated, service_role;
grant execute on function
  net.http_get(text, jsonb, jsonb, integer),
  net.http_post(text, jsonb, jsonb, jsonb, integer),
  net.http_delete(text, jsonb, jsonb, integer, jsonb)
to supabase_functions_admin, postgres, anon, authenticated, service_role;
grant execute on all functions in schema net to postgres with grant option;
grant execute on all functions in schema net to dugout_worker;
grant select, delete on net._http_response to postgres with grant option;
grant select, delete on net.http_request_queue to postgres with grant option;
select pg_catalog.pg_notify('dugout_workers', 'net');

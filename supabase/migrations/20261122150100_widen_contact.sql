-- A few networks must not be able to close the contact form. A network is an IPv4 address or the /48 of an IPv6
-- address, which one customer can have. Visitors of a network may send 30 messages an hour, all visitors together
-- 3,000, so closing the form for visitors takes a hundred networks. Accounts are limited only by their own five,
-- whatever visitors send.

create function private.network(ipv6_bits integer) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  address constant text := nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-real-ip';
begin
  return case when strpos(address, ':') > 0 then network(set_masklen(address::inet, ipv6_bits))::text else address end;
exception
  when invalid_text_representation then
    return address;
end
$$;
revoke all on function private.network(integer) from public;

create or replace function private.network() returns text
language sql stable
set search_path = ''
as $$ select private.network(64) $$;

create or replace function private.limit_contact(email text) returns void
language plpgsql
set search_path = ''
as $$
declare
  is_visitor constant boolean := auth.uid() is null;
  address constant text := case when is_visitor then lower(btrim(email)) else auth.uid()::text end;
  network bytea;
  who bytea;
begin
  -- Makes the salt of the day.
  perform private.sender();
  select sha256(convert_to(jsonb_build_array(s.salt, private.network(48))::text, 'UTF8')),
    sha256(convert_to(jsonb_build_array(s.salt, case when is_visitor then private.network(48) end, address)::text, 'UTF8'))
  into network, who
  from private.visit_salts as s where s.day = private.today();
  delete from private.contact_attempts where sent_at <= now() - interval '1 hour';
  -- Two at once count one another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('contact_messages', 0));
  if (select count(*) from private.contact_attempts as a where a.writer = who) >= 5 then
    raise exception 'You have sent five messages within an hour.' using errcode = 'PT429', hint = 'Try again later.';
  elsif is_visitor and (
    (select count(*) from private.contact_attempts as a where a.visitor = network) >= 30
    or (select count(*) from private.contact_attempts as a where a.visitor is not null) >= 3000)
  then
    raise exception 'We receive too many messages right now.' using errcode = 'PT429',
      hint = 'Sign in to write at once, or try again later.';
  end if;
  insert into private.contact_attempts (visitor, writer) values (case when is_visitor then network end, who);
end
$$;

-- The limits of the contact form: for a sender, a network, and all visitors.
begin;
select plan(10);
delete from auth.users;
delete from private.contact_attempts;
insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'ann@example.com');

-- A busy sender at a shared address does not close the contact form for others.
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
set local request.headers = '{"x-real-ip": "192.0.2.77"}';
select lives_ok($$select public.send_contact_message('Spam', 'spam@example.com', '', 'Hi') from generate_series(1, 5)$$, 'one sender can send five messages');
select throws_ok($$select public.send_contact_message('Spam', 'SPAM@example.com ', '', 'Hi')$$, 'PT429', null, 'the sixth message of a sender is refused');
select lives_ok($$select public.send_contact_message('Vi', 'vi@example.com', '', 'Hi')$$, 'another sender at the same address can send');
-- A few networks do not close it for others, however many addresses each has.
create function pg_temp.sent_from(address text, messages integer) returns bigint
language plpgsql
as $$
declare
  sent bigint := 0;
begin
  for n in 1..messages loop
    perform set_config('request.headers', jsonb_build_object('x-real-ip', replace(address, '*', to_hex(n)))::text, true);
    begin
      perform public.send_contact_message('Spam', format('s%s@example.com', n), '', 'Hi');
      sent := sent + 1;
    exception when sqlstate 'PT429' then null;
    end;
  end loop;
  return sent;
end
$$;
select is(pg_temp.sent_from('192.0.2.77', 40), 24::bigint, 'an IPv4 address can send thirty messages an hour');
select is(pg_temp.sent_from('2001:db8:1:*::1', 40), 30::bigint, 'an IPv6 /48 can send thirty messages an hour');
select is(pg_temp.sent_from('2001:db8:2:*::1', 40), 30::bigint, 'every /48 has its own limit');
select is(sum(pg_temp.sent_from('198.51.100.' || n, 31)), 300::numeric, 'ten more networks do not reach the limit for all') from generate_series(1, 10) as n;
select is(pg_temp.sent_from('203.0.113.1', 1), 1::bigint, 'another visitor can still send');
set local request.headers = '{}';
reset role;
insert into private.contact_attempts (visitor, writer) select 'a'::bytea, sha256(n::text::bytea) from generate_series(1, 3000) as n;
set local role anon;
set local request.jwt.claims = '{"role": "anon"}';
select throws_ok($$select public.send_contact_message('Vi', 'vo@example.com', '', 'Hi')$$, 'PT429', 'We receive too many messages right now.', 'a limit for all visitors protects against many networks');
reset role;
set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-00000000000a", "role": "authenticated", "aal": "aal1"}';
select lives_ok($$select public.send_contact_message('Ann', 'ann@example.com', '', 'Hi')$$, 'users can send while visitors are refused');

select * from finish();
rollback;

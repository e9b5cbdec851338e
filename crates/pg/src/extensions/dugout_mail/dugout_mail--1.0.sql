-- mail.send() mails a user of the project. Dugout's worker sends the mails (crates/server/src/workers/mail). Supabase has no such
-- extension.
set local search_path = pg_catalog, pg_temp;
-- A project may have created the schema already, to name it in CREATE EXTENSION.
do $schema$
begin
  if to_regnamespace('mail') is null then
    create schema mail;
  else
    -- Otherwise its owner could rename it and put another queue in its place.
    execute format('alter schema mail owner to %I', current_user);
  end if;
end
$schema$;
grant usage, create on schema mail to dugout_worker;

-- No foreign key: a dump restores extensions before auth.users. The worker drops mails of users who are gone.
create table mail.queue (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  subject text not null check (char_length(subject) between 1 and 200 and subject !~ '[[:cntrl:]]'),
  -- Plain text, in which empty lines separate paragraphs.
  body text not null check (char_length(body) between 1 and 10000),
  -- A button below the text: a path of the app, and what the button says.
  link text check (char_length(link) <= 2000 and link ~ '^/([^/\\[:cntrl:]][^[:cntrl:]]*)?$'),
  label text check (char_length(label) between 1 and 100),
  attempts smallint not null default 0,
  -- When the next attempt is due.
  next_at timestamptz not null default now(),
  check ((link is null) = (label is null))
);
create index on mail.queue (next_at);

create function mail.send(user_id uuid, subject text, body text, link text default null, label text default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- As many may wait, for example while the server has no mail server.
  most constant integer := 100000;
  own bigint;
begin
  if (select count(*) from (select from mail.queue limit most) as waiting) = most then
    raise exception '% mails wait already', most using errcode = 'program_limit_exceeded';
  end if;
  insert into mail.queue (user_id, subject, body, link, label)
  values (send.user_id, send.subject, send.body, send.link, send.label)
  returning id into own;
  return own;
end
$$;

create function mail._changed()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.pg_notify('dugout_workers', 'mail');
  return null;
end
$$;
create trigger changed after insert on mail.queue for each statement execute function mail._changed();
alter table mail.queue enable always trigger changed;

-- The function runs with the rights of this role, which may access this table only.
alter table mail.queue owner to dugout_worker;
alter function mail.send(uuid, text, text, text, text) owner to dugout_worker;
revoke create on schema mail from dugout_worker;
revoke execute on all functions in schema mail from public;
-- Not to the API's roles: who may call it could mail every user.
grant usage on schema mail to postgres;
grant execute on function mail.send(uuid, text, text, text, text) to postgres, dugout_worker;
grant execute on function mail._changed() to dugout_worker;
-- An operator may look at the queue, drop mails, and have them tried again.
grant select, delete, update (next_at) on mail.queue to postgres;
select pg_catalog.pg_notify('dugout_workers', 'mail');

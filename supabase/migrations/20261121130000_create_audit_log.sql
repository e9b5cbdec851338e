-- Actions of admins, and events on accounts without them. Written only by functions and triggers, read by admins. No
-- foreign keys, because a line outlives the users it names.
create table public.audit_log (
  id bigint generated always as identity primary key,
  -- Null for changes made directly in the database, such as `dugout admin grant`.
  actor_id uuid,
  action text not null check (char_length(action) between 1 and 60),
  -- The user or object that was affected.
  subject_id text,
  reason text check (char_length(reason) <= 1000),
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_created_at_idx on public.audit_log (created_at desc);
create index audit_log_subject_id_idx on public.audit_log (subject_id, created_at desc);

alter table public.audit_log enable row level security;

create policy "admins read" on public.audit_log
  for select to authenticated
  using ((select private.is_admin()));

revoke all on table public.audit_log from anon, authenticated;
grant select on table public.audit_log to authenticated;

create function private.audit(action text, subject_id text, reason text default null, detail jsonb default '{}') returns void
language sql
set search_path = ''
as $$
  insert into public.audit_log (actor_id, action, subject_id, reason, detail)
  values (auth.uid(), audit.action, audit.subject_id, audit.reason, coalesce(audit.detail, '{}'))
$$;
revoke all on function private.audit(text, text, text, jsonb) from public;

-- Changes of rights are recorded however they are made, including by hand.
create function private.audit_rights() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if old.is_admin is distinct from new.is_admin then
    perform private.audit(case when new.is_admin then 'admin_granted' else 'admin_withdrawn' end, new.id::text);
  end if;
  if old.role is distinct from new.role or old.user_type is distinct from new.user_type then
    perform private.audit('role_changed', new.id::text, null,
      jsonb_build_object('from', old.role, 'to', new.role));
  end if;
  return null;
end
$$;
revoke all on function private.audit_rights() from public;

create trigger audit_rights
  after update of is_admin, role, user_type on public.users
  for each row execute function private.audit_rights();

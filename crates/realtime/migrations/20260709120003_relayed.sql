-- covers: 20260709120003
--
-- What one instance of Dugout tells the others and is too long for NOTIFY. The id is ours. Rows live for a minute, and need not
-- survive a crash.
set local search_path = '';

create unlogged table if not exists realtime.relayed (
  id uuid primary key,
  payload text not null,
  inserted_at timestamptz not null default now()
);
alter table realtime.relayed owner to supabase_realtime_admin;
alter table realtime.relayed enable row level security;
revoke all on realtime.relayed from postgres, dashboard_user;

-- The private channel game:<id>, on which watchers hear of changes of the row in games: whoever sees the game may join it.
-- Nobody may send to it.
create policy "everybody joins the channels of games they see" on realtime.messages
  for select to anon, authenticated
  using (
    extension = 'broadcast'
    and exists (
      select from public.games as g
      where g.id = case when topic ~ '^game:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 6)::uuid end)
  );

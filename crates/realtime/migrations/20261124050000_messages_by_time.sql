-- covers: 20261124050000
--
-- The messages of the last seconds, of all topics: they are looked up when the stream of changes opens. Upstream's index is for the
-- replay of one private topic. A BRIN index is a page or two and costs an insert nothing, and rows come in the order of time: of
-- 92,000 messages of a day, those of five seconds take 0.7 ms instead of 56. The id is ours.
set local search_path = '';

create index if not exists messages_inserted_at_index on realtime.messages using brin (inserted_at)
  with (autosummarize = on);

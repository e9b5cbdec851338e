-- The personal-data export covers the timeline.
insert into private.exported (name, owner) values
  ('blocks', 'blocker_id'), ('posts', 'author_id'), ('post_comments', 'author_id'), ('post_likes', 'user_id');

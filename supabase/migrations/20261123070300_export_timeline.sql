-- The personal-data export covers the timeline. Only its list of tables changes, so the function is not repeated here.
do $$
declare
  before constant text := pg_get_functiondef('public.export_my_data(uuid)'::regprocedure);
  after constant text := replace(before, '(''follows'', ''follower_id''),',
    '(''follows'', ''follower_id''), (''blocks'', ''blocker_id''), (''posts'', ''author_id''), (''post_comments'', ''author_id''), (''post_likes'', ''user_id''),');
begin
  if after = before then
    raise exception 'export_my_data() has no list of tables that is known here.';
  end if;
  execute after;
end
$$;

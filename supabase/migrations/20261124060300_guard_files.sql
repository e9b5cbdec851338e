-- Files of posts and covers, beside 20261123070100 and 20261123070500: other apps read none, and what moderators saw stays.

alter policy "files of the posts one sees" on storage.objects
  using (bucket_id = 'post-media'
    and (exists (select from public.posts as p where p.media = objects.name)
      or (split_part(name, '/', 1) = (select auth.uid())::text and (select private.is_own_app()))));

-- Visitors have no right to call functions of the schema private.
alter policy "covers of the articles one sees" on storage.objects
  using (bucket_id = 'article-covers' and exists (select from public.articles as a where a.cover = objects.name));
create policy "authors see the covers they added" on storage.objects
  for select to authenticated
  using (bucket_id = 'article-covers' and split_part(name, '/', 1) = (select auth.uid())::text and (select private.is_own_app()));

-- Whether a post shows the file, also one that the caller does not see.
create function private.is_posted(file text) returns boolean
language sql stable security definer
set search_path = ''
as $$ select exists (select from public.posts as p where p.media = is_posted.file) $$;
revoke all on function private.is_posted(text) from public;
grant execute on function private.is_posted(text) to authenticated;

-- The file of a post goes with the post: it is not exchanged for another behind those who read, reported or reviewed it.
alter policy "authors remove files of posts" on storage.objects
  using (bucket_id = 'post-media' and private.owner_of(name) = (select auth.uid()) and (select private.is_own_app())
    and not private.is_posted(name));

-- Stricter policies for files of posts and covers than in 20261123070100 and 20261123070500: other apps cannot read them, and
-- users cannot replace a file that moderators have seen.

alter policy "files of the posts one sees" on storage.objects
  using (bucket_id = 'post-media'
    and (exists (select from public.posts as p where p.media = objects.name)
      or (split_part(name, '/', 1) = (select auth.uid())::text and (select private.is_own_app()))));

-- Anonymous visitors must not call functions of the schema private, so this policy uses none.
alter policy "covers of the articles one sees" on storage.objects
  using (bucket_id = 'article-covers' and exists (select from public.articles as a where a.cover = objects.name));
create policy "authors see the covers they added" on storage.objects
  for select to authenticated
  using (bucket_id = 'article-covers' and split_part(name, '/', 1) = (select auth.uid())::text and (select private.is_own_app()));

-- Whether any post shows the file, including posts that the caller does not see.
create function private.is_posted(file text) returns boolean
language sql stable security definer
set search_path = ''
as $$ select exists (select from public.posts as p where p.media = is_posted.file) $$;
revoke all on function private.is_posted(text) from public;
grant execute on function private.is_posted(text) to authenticated;

-- Authors cannot delete, and so not replace, the file of an existing post: readers, reports and reviews refer to it.
alter policy "authors remove files of posts" on storage.objects
  using (bucket_id = 'post-media' and private.owner_of(name) = (select auth.uid()) and (select private.is_own_app())
    and not private.is_posted(name));

-- As in 20261123050510, with the files of posts and the covers of articles: check_owner_of_file() counts them when their rows are
-- written, so that signed upload URLs do not add more of them than the policies allow.
create or replace function private.has_room(bucket text, folder text) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select case bucket
    when 'post-media' then private.has_post_room(folder::uuid)
    when 'article-covers' then private.has_cover_room(folder::uuid)
    else (
      select coalesce(
        count(*) < case bucket when 'profile-photos' then 6 when 'profile-videos' then 12 when 'team-logos' then 4 end, true)
      from storage.objects as o
      -- In the order of the index: "0" follows "/".
      where o.bucket_id = bucket and o.name collate "C" > folder || '/' and o.name collate "C" < folder || '0') end
$$;

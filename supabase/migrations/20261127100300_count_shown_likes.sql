-- A like of somebody whose profile is hidden must not be in the count: it would show that the person exists and was there. One's
-- own like always counts.
create or replace function private.likes_of(post uuid) returns integer
language sql stable security definer
set search_path = ''
as $$
  select count(*)::integer from public.post_likes as l
  where l.post_id = likes_of.post
    and (l.user_id = (select auth.uid()) or exists (
      select from public.profiles as p where p.id = l.user_id and p.public_profile and p.shown_from <= private.today()))
$$;

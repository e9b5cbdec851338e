-- As in 20261123070600, but an advisory lock makes concurrent reports count each other.
create or replace function private.hold_reported() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if new.subject_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return null;
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(concat('reports of ', new.subject_kind, ' ', new.subject_id), 0));
  if (select count(distinct r.reporter_id) from public.reports as r
      where r.subject_kind = new.subject_kind and r.subject_id = new.subject_id and r.status = 'open') < 3
  then
    return null;
  elsif new.subject_kind = 'post' then
    update public.posts as p set state = 'held'
    where p.id = new.subject_id::uuid and p.state = 'shown' and p.reviewed_at is null;
  elsif new.subject_kind = 'comment' then
    update public.post_comments as c set state = 'held'
    where c.id = new.subject_id::uuid and c.state = 'shown' and c.reviewed_at is null;
  else
    update public.article_comments as c set state = 'held'
    where c.id = new.subject_id::uuid and c.state = 'shown' and c.reviewed_at is null;
  end if;
  return null;
end
$$;

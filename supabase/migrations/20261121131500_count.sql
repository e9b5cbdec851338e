-- Statistics for admins, and each user's own referral funnel; first, stricter rules for what is counted. Days are in
-- UTC, and a day without data is a row of zeros.

create index page_views_viewed_at_idx on public.page_views (viewed_at);
create index user_sessions_session_start_idx on public.user_sessions (session_start);
create index users_created_at_idx on public.users (created_at);
create index referral_analytics_code_idx on public.referral_analytics (referral_code, "timestamp");
create index referral_analytics_timestamp_idx on public.referral_analytics ("timestamp");

-- Visitors' reports are counted, so their timestamps must be recent.
alter policy "visitors report clicks" on public.referral_analytics
  with check (action = 'click' and "timestamp" between now() - interval '1 day' and now() + interval '1 day');
alter policy "users report clicks and their own signup" on public.referral_analytics
  with check (
    (action = 'click' or converted_user_id = (select auth.uid()))
    and "timestamp" between now() - interval '1 day' and now() + interval '1 day'
  );

-- The same for users. Nothing is counted for a user whose data must not be stored.
alter policy "owners insert" on public.page_views
  with check (
    user_id = (select auth.uid())
    and (select private.may_publish())
    and viewed_at between now() - interval '1 day' and now() + interval '1 day'
  );
alter policy "owners insert" on public.user_sessions
  with check (
    user_id = (select auth.uid())
    and (select private.may_publish())
    and session_start between now() - interval '1 day' and now() + interval '1 day'
    and last_activity between now() - interval '1 day' and now() + interval '1 day'
  );
alter policy "owners update" on public.user_sessions
  with check (
    user_id = (select auth.uid())
    and (select private.may_publish())
    and last_activity between now() - interval '1 day' and now() + interval '1 day'
  );

-- The number of clicks that each sender reported today, by the day's hash of the sender; deleted with the day.
create table private.click_reports (
  day date not null,
  sender bytea not null,
  reported integer not null,
  primary key (day, sender)
);

create function private.limit_clicks() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.today();
  so_far integer;
begin
  -- Seeds and the service come without a role of the API's.
  if coalesce(auth.jwt() ->> 'role', '') not in ('anon', 'authenticated') then
    return new;
  end if;
  -- The row's lock lets two at once count one another.
  insert into private.click_reports as r (day, sender, reported) values (today, private.sender(), 1)
  on conflict (day, sender) do update set reported = r.reported + 1
  returning r.reported into so_far;
  if so_far > 100 then
    raise exception 'You have reported a hundred clicks today.' using errcode = 'PT429';
  end if;
  if so_far = 1 then
    delete from private.click_reports where day < today;
  end if;
  return new;
end
$$;
revoke all on function private.limit_clicks() from public;

create trigger limit_clicks
  before insert on public.referral_analytics
  for each row when (new.action = 'click')
  execute function private.limit_clicks();

-- As in 20261121040400, but visitors are told apart without the browser's name, which is easily changed.
create or replace function public.increment_referral_clicks(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.today();
  owner uuid;
begin
  select c.owner_id into owner from public.referral_codes c where c.code = increment_referral_clicks.code;
  if not found or owner = auth.uid() then
    return;
  end if;
  perform private.forget_visits_before(today);
  insert into private.referral_visits (day, code, visitor)
  values (today, increment_referral_clicks.code, private.sender())
  on conflict do nothing;
  if found then
    update public.referral_codes c set clicks = c.clicks + 1 where c.code = increment_referral_clicks.code;
  end if;
end
$$;
drop function private.visitor(date);

-- As in 20261121040400, but only for new accounts: an old account was not brought by a link. Suspended users convert
-- nobody.
create or replace function public.increment_referral_conversions(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  insert into private.referral_conversions (user_id, code)
  select u.id, c.code
  from public.users u, public.referral_codes c
  where u.id = auth.uid()
    and u.created_at > now() - interval '1 day'
    and not private.is_suspended()
    and c.code = increment_referral_conversions.code
    and c.owner_id is distinct from u.id
  on conflict do nothing;
  if found then
    update public.referral_codes c set conversions = c.conversions + 1 where c.code = increment_referral_conversions.code;
  end if;
end
$$;

create function private.days(days integer) returns setof date
language sql stable
set search_path = ''
as $$
  select private.today() - back from generate_series(least(greatest(coalesce(days.days, 30), 1), 366) - 1, 0, -1) as back
$$;
revoke all on function private.days(integer) from public;

create function public.referral_funnel(days integer default 30) returns table (day date, clicks bigint, signups bigint)
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
begin
  return query
    select d, count(r.id) filter (where r.action = 'click'), count(r.id) filter (where r.action = 'signup')
    from private.days(referral_funnel.days) as d
    left join (
      public.referral_analytics as r join public.referral_codes as c on c.code = r.referral_code and c.owner_id = uid
    ) on (r."timestamp" at time zone 'utc')::date = d and r."timestamp" > now() - interval '367 days'
    group by d order by d;
end
$$;
revoke all on function public.referral_funnel(integer) from public, anon, authenticated;
grant execute on function public.referral_funnel(integer) to authenticated;

create function public.admin_totals()
returns table (users bigint, players bigint, coaches bigint, scouts bigint, fans bigint, suspended bigint,
  open_reports bigint, open_messages bigint, dau bigint, wau bigint, mau bigint)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    select count(*), count(*) filter (where u.role = 'player'), count(*) filter (where u.role = 'coach'),
      count(*) filter (where u.role = 'scout'), count(*) filter (where u.role = 'fan'),
      (select count(*) from public.suspensions as s where s.lifted_at is null),
      (select count(*) from public.reports as r where r.status = 'open'),
      (select count(*) from public.contact_messages as m where m.handled_at is null),
      (select count(distinct v.user_id) from public.page_views as v where v.viewed_at > now() - interval '1 day'),
      (select count(distinct v.user_id) from public.page_views as v where v.viewed_at > now() - interval '7 days'),
      (select count(distinct v.user_id) from public.page_views as v where v.viewed_at > now() - interval '30 days')
    from public.users as u;
end
$$;

create function public.admin_activity(days integer default 30)
returns table (day date, active_users bigint, page_views bigint, sessions bigint, new_users bigint)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    with span as materialized (select d, min(d) over () as first from private.days(admin_activity.days) as d),
    viewed as (
      select (v.viewed_at at time zone 'utc')::date as d, count(distinct v.user_id) as people, count(*) as views
      from public.page_views as v where v.viewed_at >= (select min(s.first) from span as s) - interval '1 day' group by 1
    ), stayed as (
      select (u.session_start at time zone 'utc')::date as d, count(*) as stays
      from public.user_sessions as u where u.session_start >= (select min(s.first) from span as s) - interval '1 day' group by 1
    ), joined as (
      select (u.created_at at time zone 'utc')::date as d, count(*) as people
      from public.users as u where u.created_at >= (select min(s.first) from span as s) - interval '1 day' group by 1
    )
    select s.d, coalesce(v.people, 0), coalesce(v.views, 0), coalesce(t.stays, 0), coalesce(j.people, 0)
    from span as s left join viewed as v on v.d = s.d left join stayed as t on t.d = s.d left join joined as j on j.d = s.d
    order by s.d;
end
$$;

-- Weeks begin on Monday. returning_users: also active in the week before.
create function public.admin_weekly_activity(weeks integer default 12)
returns table (week date, active_users bigint, returning_users bigint)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    with span as (
      select (date_trunc('week', private.today()::timestamp) - back * interval '1 week')::date as w
      from generate_series(0, least(greatest(coalesce(weeks, 12), 1), 104) - 1) as back
    ), active as materialized (
      select distinct date_trunc('week', v.viewed_at at time zone 'utc')::date as w, v.user_id
      from public.page_views as v
      where v.viewed_at >= (select min(s.w) from span as s) - interval '8 days'
    )
    select s.w, count(a.user_id), count(b.user_id)
    from span as s
    left join active as a on a.w = s.w
    left join active as b on b.user_id = a.user_id and b.w = s.w - 7
    group by s.w order by s.w;
end
$$;

create function public.admin_devices(days integer default 30)
returns table (device_type text, sessions bigint, users bigint, average_seconds integer)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    select s.device_type, count(*), count(distinct s.user_id), round(avg(s.session_duration))::integer
    from public.user_sessions as s
    where s.session_start > now() - make_interval(days => least(greatest(coalesce(days, 30), 1), 366))
    group by 1 order by 2 desc, 1;
end
$$;

create function public.admin_top_pages(days integer default 30) returns table (page_path text, views bigint, users bigint)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    select v.page_path, count(*), count(distinct v.user_id)
    from public.page_views as v
    where v.viewed_at > now() - make_interval(days => least(greatest(coalesce(days, 30), 1), 366))
    group by 1 order by 2 desc, 1 limit 50;
end
$$;

create function public.admin_referral_funnel(days integer default 30)
returns table (day date, clicks bigint, signups bigint, conversions bigint)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    with reported as (
      select (r."timestamp" at time zone 'utc')::date as d, count(*) filter (where r.action = 'click') as clicked,
        count(*) filter (where r.action = 'signup') as signed_up
      from public.referral_analytics as r where r."timestamp" > now() - interval '367 days' group by 1
    ), counted as (
      select (c.converted_at at time zone 'utc')::date as d, count(*) as converted
      from private.referral_conversions as c group by 1
    )
    select d, coalesce(r.clicked, 0), coalesce(r.signed_up, 0), coalesce(c.converted, 0)
    from private.days(admin_referral_funnel.days) as d left join reported as r using (d) left join counted as c using (d)
    order by d;
end
$$;

create function public.admin_referral_codes()
returns table (code text, owner_id uuid, owner_name text, clicks integer, conversions integer)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.admin_caller();
  return query
    select c.code, c.owner_id, u.full_name, c.clicks, c.conversions
    from public.referral_codes as c left join public.users as u on u.id = c.owner_id
    where c.clicks > 0 or c.conversions > 0 or c.owner_id is null
    order by c.conversions desc, c.clicks desc, c.code limit 200;
end
$$;

do $grants$
declare
  counting regprocedure;
begin
  foreach counting in array array['public.admin_totals()', 'public.admin_activity(integer)',
    'public.admin_weekly_activity(integer)', 'public.admin_devices(integer)', 'public.admin_top_pages(integer)',
    'public.admin_referral_funnel(integer)', 'public.admin_referral_codes()']::regprocedure[]
  loop
    execute format('revoke all on function %s from public, anon, authenticated', counting);
    execute format('grant execute on function %s to authenticated', counting);
  end loop;
end
$grants$;

-- The queue of reports: one row for each thing that is reported and each state of its reports, the newest report first. What is not a
-- thing has a row of its own. The view reads as its caller, so only admins see the reports of others.
create view public.admin_reports with (security_invoker = true) as
select (array_agg(r.id order by r.created_at desc, r.id))[1] as id, r.subject_kind, r.subject_id, r.status,
  (array_agg(r.subject_user_id order by r.created_at desc, r.id))[1] as subject_user_id,
  (array_agg(s.full_name order by r.created_at desc, r.id))[1] as subject_name,
  max(r.created_at) as created_at, count(*) as reports,
  array_agg(r.id order by r.created_at desc, r.id) as report_ids,
  array_agg(r.reason order by r.reason) as reasons,
  array_agg(distinct r.reporter_id) as reporter_ids,
  string_agg(concat_ws(' ', r.details, r.resolution), ' ' order by r.created_at desc, r.id) as said,
  -- The newest five, which a row shows.
  to_jsonb((array_agg(jsonb_build_object('id', r.id, 'reason', r.reason, 'details', r.details, 'created_at', r.created_at,
    'reporter_id', r.reporter_id, 'reporter_name', b.full_name, 'resolution', r.resolution, 'handled_at', r.handled_at,
    'handler_name', h.full_name) order by r.created_at desc, r.id))[1:5]) as latest
from public.reports as r
left join public.profiles as s on s.id = r.subject_user_id
left join public.profiles as b on b.id = r.reporter_id
left join public.profiles as h on h.id = r.handled_by
group by r.subject_kind, r.subject_id, case when r.subject_id is null then r.id end, r.status;
revoke all on public.admin_reports from anon, authenticated;
grant select on public.admin_reports to authenticated;

-- Answers all reports of a row at once. Those that arrive meanwhile stay open.
create function public.admin_handle_reports(report_ids uuid[], status text, resolution text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  report uuid;
begin
  perform private.admin_caller();
  if coalesce(cardinality(report_ids), 0) not between 1 and 1000 then
    raise exception 'Name between 1 and 1,000 reports.' using errcode = 'PT400';
  end if;
  foreach report in array report_ids loop
    perform public.admin_handle_report(report, status, resolution);
  end loop;
end
$$;
revoke all on function public.admin_handle_reports(uuid[], text, text) from public, anon, authenticated;
grant execute on function public.admin_handle_reports(uuid[], text, text) to authenticated;

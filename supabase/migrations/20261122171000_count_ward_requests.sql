-- my_wards() also counts the teams that wait for the guardian's answer, so that Home needs no second request.
-- shown: whether anyone besides the family and the coaches sees the profile now; audience: the caller's choice;
-- requests: invitations of teams, and the ward's own requests to join that the guardian has not approved.
drop function public.my_wards();
create function public.my_wards()
returns table (guardianship_id uuid, ward_id uuid, full_name text, birth_date date, public_profile boolean,
  hides_profile boolean, until date, shown boolean, suspended boolean, "first" boolean, guardians integer, audience text,
  requests integer)
language sql stable security definer
set search_path = ''
as $$
  select g.id, g.ward_id, u.full_name, b.birth_date, u.public_profile, g.hides_profile,
    private.birthday(b.birth_date, 18),
    case when private.age(g.ward_id) < 13
      then not bool_or(o.hides_profile) and bool_and(o.audience <> 'family') and not ward.suspended
      else u.public_profile and private.may_be_shown(g.ward_id) end,
    ward.suspended, g.guardian_id = private.first_of(g.ward_id), count(*)::integer, g.audience, ward.requests
  from public.guardianships as g
  join public.users as u on u.id = g.ward_id
  join public.guardianships as o on o.ward_id = g.ward_id and o.status = 'accepted'
  left join public.birth_dates as b on b.user_id = g.ward_id
  cross join lateral (
    select
      exists (select from public.suspensions as s where s.user_id = g.ward_id and s.lifted_at is null),
      (select count(*)::integer from public.team_members as m
        where m.user_id = g.ward_id and (m.status = 'invited' or (m.status = 'asked' and m.approved_at is null)))
    ) as ward (suspended, requests)
  where g.guardian_id = auth.uid() and g.status = 'accepted' and g.ward_id in (select private.wards())
  group by g.id, u.id, b.user_id, ward.suspended, ward.requests
  order by u.full_name, g.ward_id
$$;
revoke all on function public.my_wards() from public, anon, authenticated;
grant execute on function public.my_wards() to authenticated;

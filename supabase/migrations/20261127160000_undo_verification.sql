-- A coach who verifies a number by mistake undoes that within a minute: the player's request is then open again. The request stays in
-- the row while the number is verified; a later withdrawal ends it.
create or replace function public.verify_measurement(measurement_id uuid, verified boolean default true) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  uid constant uuid := private.caller();
  subject uuid;
begin
  select m.player_id into subject from public.measurements as m where m.id = measurement_id;
  if subject is null or subject = uid
    or not (private.is_admin() or subject in (select private.coached_players()))
  then
    raise exception 'Only a coach of the player''s team can verify this.' using errcode = '42501';
  end if;
  if not (private.is_admin() or private.is_verified_coach()) then
    raise exception 'Only verified coaches verify numbers.' using errcode = '42501',
      hint = 'Ask an admin, or two verified coaches, to verify you.';
  end if;
  update public.measurements as m
  set verified_by = case when verified then uid end,
      verified_at = case when verified then now() end,
      verification_asked = m.verification_asked
        and (verified or (m.verified_by = uid and m.verified_at > now() - interval '1 minute'))
  where m.id = measurement_id;
  perform private.audit(case when verified then 'measurement_verified' else 'verification_withdrawn' end,
    measurement_id::text, null, jsonb_build_object('player_id', subject));
end
$$;

-- The functions that neither read through row policies nor call private.caller(): they answered the tokens of other apps.
create function private.refuse_other_apps() returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if not private.is_own_app() then
    raise exception 'This app may only know who you are.' using errcode = '42501',
      hint = 'Open Dugout itself to see or change your data.';
  end if;
end
$$;
revoke all on function private.refuse_other_apps() from public;

create or replace function public.profile_visibility() returns text
language plpgsql stable security definer
set search_path = ''
as $$
declare
  uid constant uuid := auth.uid();
  years constant integer := private.age(uid);
begin
  perform private.refuse_other_apps();
  -- What the user cannot change comes before what the user has chosen.
  return case
    when private.is_suspended() then 'suspended'
    when years is null then 'birth_date_missing'
    when years < 13 and not private.has_guardian(uid) then 'guardian_missing'
    when years < 18 and exists (
      select from public.guardianships as g where g.ward_id = uid and g.status = 'accepted' and g.hides_profile)
      then 'hidden_by_guardian'
    when years < 13 then 'guardian_decides'
    when exists (select from public.users where id = uid and not public_profile) then 'private'
    else 'visible'
  end;
end
$$;

create or replace function public.send_contact_message(name text, email text, subject text, message text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.refuse_other_apps();
  if char_length(btrim(coalesce(name, ''))) not between 1 and 120 then
    raise exception 'Your name is required, in up to 120 characters.' using errcode = 'PT400';
  elsif btrim(coalesce(email, '')) !~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' or char_length(email) > 320 then
    raise exception 'That is not an e-mail address.' using errcode = 'PT400';
  elsif char_length(coalesce(subject, '')) > 150 then
    raise exception 'A subject has up to 150 characters.' using errcode = 'PT400';
  elsif char_length(btrim(coalesce(message, ''))) not between 1 and 5000 then
    raise exception 'Your message is required, in up to 5000 characters.' using errcode = 'PT400';
  end if;
  perform private.limit_contact(email);
  insert into public.contact_messages (user_id, name, email, subject, message)
  values ((select u.id from public.users as u where u.id = auth.uid()), btrim(name), btrim(email),
    btrim(coalesce(subject, '')), btrim(message));
end
$$;

create or replace function public.increment_referral_conversions(code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.refuse_other_apps();
  if not private.is_suspended()
    and exists (select from public.users as u where u.id = auth.uid() and u.created_at > now() - interval '1 day')
  then
    perform private.convert_referral(auth.uid(), increment_referral_conversions.code);
  end if;
end
$$;

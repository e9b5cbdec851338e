-- As in 20261121130900, but a sign-in through another provider proves the address only if that provider says it has
-- verified this very address.
create or replace function private.invited_caller(uid uuid) returns text
language sql stable
set search_path = ''
as $$
  select lower(a.email) from auth.users as a
  where a.id = uid and a.email_confirmed_at is not null and a.email <> ''
    and (a.email_confirmed_at >= a.confirmation_sent_at
      or exists (
        select from auth.sessions as s join auth.mfa_amr_claims as c on c.session_id = s.id
        where s.user_id = uid
          and (c.authentication_method in ('magiclink', 'recovery', 'invite', 'email_change')
            or (c.authentication_method = 'otp' and coalesce(a.phone, '') = '')
            or (c.authentication_method in ('oauth', 'sso/saml') and exists (
              select from auth.identities as i
              where i.user_id = uid and i.provider not in ('email', 'phone')
                and lower(i.identity_data ->> 'email') = lower(a.email)
                and i.identity_data ->> 'email_verified' = 'true')))))
$$;

-- $1 id, $2 user, $3 name, $4 kind, $5 secret or null, $6 phone number or null, $7 now
insert into auth.mfa_factors
  (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
values ($1, $2, $3, $4::text::auth.factor_type, 'unverified', $5, $6, $7, $7)

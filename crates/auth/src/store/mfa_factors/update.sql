-- $1 id, $2 name or null, $3 phone number or null, $4 now
update auth.mfa_factors
set friendly_name = coalesce($2, friendly_name), phone = coalesce($3, phone),
  updated_at = case when $2::text is null and $3::text is null then updated_at else $4 end
where id = $1

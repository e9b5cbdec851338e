-- $1 user
select 1 from auth.mfa_factors where user_id = $1 order by id for update

-- Inserts or extends the identity of a confirmed address or number.
-- $1 the user's id at the provider, $2 user, $3 data, $4 provider, $5 now
insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
values ($1, $2, $3, $4, $5, $5, $5)
on conflict on constraint identities_provider_id_provider_unique
do update set identity_data = identities.identity_data || excluded.identity_data

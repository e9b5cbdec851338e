-- For development: applied by `dugout start --dev` on a new cluster and by `supabase db reset`, never
-- in production. Always the same rows, however often it runs.

-- A code of a campaign, owned by nobody: open /?ref=COACH-7 to see the counters move.
insert into public.referral_codes (code, owner_id) values ('COACH-7', null)
on conflict (code) do nothing;

-- What the application needs and the API must not see: helpers of policies and triggers, and tables
-- that only functions touch. Not in [api].schemas of config.toml.
create schema private;
revoke all on schema private from public;

-- Policies run as the caller, so the caller must be able to enter. What there is to call or read is
-- granted one by one.
grant usage on schema private to authenticated;

-- New tables and functions of public are reachable by nobody until a grant says so: a forgotten grant
-- is noticed at once, a forgotten revoke is a leak.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on routines from anon, authenticated;

-- Objects that the application needs and the API must not expose: helpers of policies and triggers, and tables that
-- only functions use. Not listed in [api].schemas of config.toml.
create schema private;
revoke all on schema private from public;

-- Policies run as the caller, so the caller needs usage of the schema. Each function and table is granted separately.
grant usage on schema private to authenticated;

-- New tables and functions in public are inaccessible until they are granted: a forgotten grant is noticed at once, a
-- forgotten revoke is a leak.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on routines from anon, authenticated;

-- What must hold for every table and function there is and will be, in the manner of Supabase's
-- database linter, and who may do what as one list to read.
begin;
select plan(17);

select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity$$,
  'row level security is on for every table of public');
select is_empty(
  $$select relname from pg_class
    where relnamespace = 'public'::regnamespace
      and (relkind in ('m', 'f') or (relkind = 'v' and not coalesce(reloptions @> array['security_invoker=true'], false)))$$,
  'no view, materialized view or foreign table goes around it');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and 'public' = any (roles)$$,
  'policies name their roles');
select is_empty(
  $$select tablename, role, command, count(*)
    from pg_policies, unnest(roles) as role,
      unnest(case cmd when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[cmd] end) as command
    where schemaname = 'public' and permissive = 'PERMISSIVE'
    group by 1, 2, 3 having count(*) > 1$$,
  'one permissive policy a table, role and command');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public'
      and regexp_replace(concat_ws(' ', qual, with_check), '\( SELECT (auth|private)\.\w+\(\) AS \w+\)', '', 'g') ~ '(auth|private)\.'$$,
  'policies ask who calls once a statement, not once a row');
select is_empty(
  $$select tablename, policyname from pg_policies
    where schemaname = 'public' and concat_ws(' ', qual, with_check) ~ '(user_metadata|raw_user_meta_data|jwt)'$$,
  'policies trust nothing that users may edit');
select is_empty(
  $$select tablename, policyname from pg_policies where schemaname = 'public' and (qual = 'true' or with_check = 'true')$$,
  'no policy lets everything pass');
select is_empty(
  $$select oid::regprocedure from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not coalesce(proconfig @> array['search_path=""'], false)$$,
  'functions find nothing by the caller''s search_path');
select is_empty(
  $$select extname from pg_extension where extnamespace = 'public'::regnamespace$$,
  'no extension lives in public');
select is_empty(
  $$select conrelid::regclass, conname from pg_constraint
    where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (
        select from pg_index
        where indrelid = conrelid and indpred is null and indkey[0] = conkey[1])$$,
  'foreign keys have an index');

select set_eq(
  $$select case grantee when 0 then 'public' else grantee::regrole::text end, object.oid::regprocedure::text, object.prosecdef
    from pg_proc as object, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (grantee = 0 or grantee in ('anon'::regrole, 'authenticated'::regrole))$$,
  $$values
    ('anon', 'increment_referral_clicks(text)', true),
    ('authenticated', 'increment_referral_clicks(text)', true),
    ('authenticated', 'increment_referral_conversions(text)', true),
    ('authenticated', 'private.is_admin()', true)$$,
  'these functions may be called');

select set_eq(
  $$select grantee::regrole::text, relname::text, string_agg(lower(privilege_type), ', ' order by privilege_type)
    from pg_class, aclexplode(relacl) as acl
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (grantee = 0 or grantee in ('anon'::regrole, 'authenticated'::regrole))
    group by 1, 2$$,
  $$values
    ('authenticated', 'page_views', 'select'),
    ('authenticated', 'referral_analytics', 'select'),
    ('authenticated', 'referral_codes', 'select'),
    ('authenticated', 'token_ledger', 'select'),
    ('authenticated', 'user_sessions', 'select'),
    ('authenticated', 'users', 'select')$$,
  'these tables may be used as a whole');

select set_eq(
  $$select grantee::regrole::text, relname::text, lower(privilege_type), string_agg(attname, ', ' order by attnum)
    from pg_class join pg_attribute on attrelid = pg_class.oid, aclexplode(attacl) as acl
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by 1, 2, 3$$,
  $$values
    ('anon', 'referral_analytics', 'insert', 'referral_code, action, timestamp, ip_address, user_agent, converted_user_id'),
    ('authenticated', 'page_views', 'insert', 'user_id, page_path, viewed_at'),
    ('authenticated', 'referral_analytics', 'insert', 'referral_code, action, timestamp, ip_address, user_agent, converted_user_id'),
    ('authenticated', 'user_sessions', 'insert', 'user_id, session_start, last_activity, device_type, session_duration'),
    ('authenticated', 'user_sessions', 'update', 'last_activity, session_duration'),
    ('authenticated', 'users', 'insert', 'id, email, full_name, role, user_type, public_profile'),
    ('authenticated', 'users', 'update', 'full_name, public_profile')$$,
  'these columns may be written');

select results_eq(
  $$select role, has_schema_privilege(role, 'private', 'usage'), has_schema_privilege(role, 'private', 'create'),
      has_schema_privilege(role, 'public', 'create')
    from unnest(array['anon', 'authenticated']) as role$$,
  $$values ('anon', false, false, false), ('authenticated', true, false, false)$$,
  'visitors do not enter private, nobody makes anything');

-- As who runs the migrations.
do $$ begin
  execute format('set local role %I', (select tableowner from pg_tables where schemaname = 'public' and tablename = 'users'));
end $$;
create table public.later (id bigint generated always as identity);
select results_eq(
  $$select has_table_privilege(role, 'public.later', 'select, insert, update, delete') from unnest(array['anon', 'authenticated']) as role$$,
  $$values (false), (false)$$,
  'a later table is closed until a grant opens it');
select is(has_table_privilege('service_role', 'public.later', 'select, insert, update, delete'), true, 'but not to the service');
select is(has_table_privilege('service_role', 'public.users', 'select, insert, update, delete'), true, 'which may do everything');
reset role;

select * from finish();
rollback;

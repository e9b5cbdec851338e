-- As in the CLI.
begin;
set local lock_timeout = '4s';
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);
commit;

//! Extensions of contrib that PostgreSQL keeps for superusers and Supabase gives to `postgres`; and vector.

use pg::{Target, migrations};

use super::Running;
use crate::kit::skip;

#[tokio::test]
async fn the_owner_installs_the_extensions_that_supabase_allows() {
    let Some(s) = Running::start().await else { return };
    s.run(
        "create extension dblink with schema extensions;
         create extension postgres_fdw with schema extensions;
         create extension moddatetime;
         create extension if not exists pg_stat_statements;
         create server elsewhere foreign data wrapper postgres_fdw options (host '127.0.0.1')",
    )
    .await;
    s.run("select count(*) from extensions.pg_stat_statements").await;
    for name in ["plperlu", "plpython3u", "file_fdw", "pageinspect"] {
        let said = s.refusal(&format!("create extension {name}")).await;
        assert_eq!(said, format!("permission denied to create extension \"{name}\""));
    }
    // The socket trusts every local connection, so dblink must refuse to connect without a password.
    let socket = s.launch.data_dir().join("run");
    let way_in = format!("host={} user=supabase_admin dbname=postgres", socket.display());
    let said = s.refusal(&format!("select extensions.dblink_connect('{way_in}')")).await;
    assert_eq!(said, "password or GSSAPI delegated credentials required");
    let said = s.refusal(&format!("select extensions.dblink_connect('{way_in} password=x')")).await;
    assert_eq!(said, "password or GSSAPI delegated credentials required");
    let said = s.refusal(&format!("select extensions.dblink_connect_u('{way_in}')")).await;
    assert_eq!(said, "permission denied for function dblink_connect_u");
}

/// Statements that Supabase's platform allows, in a migration.
#[tokio::test]
async fn a_migration_moves_extensions_and_drops_those_of_the_platform() {
    let Some(s) = Running::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let sql = "create schema moved; create extension if not exists pg_trgm; alter extension pg_trgm set schema moved;
         drop extension pg_graphql; drop extension pgjwt; create extension pg_net with schema extensions;
         create table public.found as select moved.similarity('a', 'a') as alike;";
    std::fs::write(folder.path().join("moves.sql"), sql).unwrap();
    let owner = Target::unix(&s.launch.data_dir().join("run"), 5432, "postgres", "postgres");
    migrations::seed(&owner, folder.path(), &["moves.sql".to_owned()]).await.unwrap();
    assert_eq!(s.one("select alike from public.found").await, "1");
    // What is not there is still an error.
    std::fs::write(folder.path().join("wrong.sql"), "alter extension pg_trgm set schema nowhere").unwrap();
    let wrong = migrations::seed(&owner, folder.path(), &["wrong.sql".to_owned()]).await.unwrap_err().to_string();
    assert!(wrong.contains("schema \"nowhere\" does not exist"), "{wrong}");
}

/// How `supabase db dump` and `supabase db pull` begin, with an event trigger as Supabase documents it.
#[tokio::test]
async fn the_head_of_a_dump_is_applied() {
    let Some(s) = Running::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let sql = r#"SET statement_timeout = 0;
        SET client_encoding = 'UTF8';
        SELECT pg_catalog.set_config('search_path', '', false);
        SET row_security = off;
        CREATE EXTENSION IF NOT EXISTS "pg_cron" WITH SCHEMA "pg_catalog";
        CREATE EXTENSION IF NOT EXISTS "pg_net" WITH SCHEMA "extensions";
        CREATE EXTENSION IF NOT EXISTS "pgsodium" WITH SCHEMA "pgsodium";
        COMMENT ON SCHEMA "public" IS 'standard public schema';
        CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql";
        CREATE EXTENSION IF NOT EXISTS "pg_stat_statements" WITH SCHEMA "extensions";
        CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";
        CREATE EXTENSION IF NOT EXISTS "pgjwt" WITH SCHEMA "extensions";
        CREATE EXTENSION IF NOT EXISTS "supabase_vault" WITH SCHEMA "vault";
        CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA "extensions";
        RESET search_path;
        CREATE FUNCTION public.rls_auto_enable() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER
          SET search_path = pg_catalog AS $$
        declare cmd record;
        begin
          for cmd in select * from pg_event_trigger_ddl_commands() where command_tag = 'CREATE TABLE' loop
            execute format('alter table if exists %s enable row level security', cmd.object_identity);
          end loop;
        end $$;
        CREATE EVENT TRIGGER ensure_rls ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION rls_auto_enable();
        ALTER EVENT TRIGGER "ensure_rls" OWNER TO "postgres";
        COMMENT ON EVENT TRIGGER ensure_rls IS 'row level security for every table';"#;
    std::fs::write(folder.path().join("dump.sql"), sql).unwrap();
    // Event triggers are off for the rest of a transaction that creates an extension.
    std::fs::write(folder.path().join("later.sql"), "CREATE TABLE public.guarded (id int)").unwrap();
    let owner = Target::unix(&s.launch.data_dir().join("run"), 5432, "postgres", "postgres");
    migrations::seed(&owner, folder.path(), &["dump.sql".to_owned(), "later.sql".to_owned()]).await.unwrap();
    assert_eq!(s.one("select relrowsecurity from pg_class where oid = 'public.guarded'::regclass").await, "t");
    let comment = "select obj_description(oid, 'pg_event_trigger') from pg_event_trigger where evtname = 'ensure_rls'";
    assert_eq!(s.one(comment).await, "row level security for every table");
    // Without IF NOT EXISTS somebody wants the extension itself.
    std::fs::write(folder.path().join("wanted.sql"), "create extension pg_graphql").unwrap();
    let refused = migrations::seed(&owner, folder.path(), &["wanted.sql".to_owned()]).await.unwrap_err().to_string();
    assert!(refused.contains("use the data API at /rest/v1"), "{refused}");
}

#[tokio::test]
async fn vectors_are_indexed_and_compared() {
    let Some(s) = Running::start().await else { return };
    if s.one("select count(*) from pg_available_extensions where name = 'vector'").await == "0" {
        return skip("vector is missing: run scripts/install.sh");
    }
    s.run(
        "create extension vector with schema extensions;
         create table public.items (id int, embedding extensions.vector(3));
         create index on public.items using hnsw (embedding extensions.vector_l2_ops);
         insert into public.items values (1, '[1,2,3]'), (2, '[4,5,6]')",
    )
    .await;
    assert_eq!(
        s.one("select id from public.items order by embedding operator(extensions.<->) '[4,4,6]' limit 1").await,
        "2"
    );
}

/// Under row policies an index is used only if the operator is leakproof.
#[tokio::test]
async fn searches_use_their_indexes_under_row_policies() {
    let Some(s) = Running::start().await else { return };
    s.run(
        "create extension if not exists pg_trgm with schema extensions;
         create table public.pages (id int, owner uuid, title text, words tsvector, facts jsonb);
         insert into public.pages select n, gen_random_uuid(), md5(n::text), to_tsvector('simple', 'word' || n),
           jsonb_build_object('n', n) from generate_series(1, 5000) n;
         create index on public.pages using gin (words);
         create index on public.pages using gin (facts);
         create index on public.pages using gin (title extensions.gin_trgm_ops);
         alter table public.pages enable row level security;
         create policy own on public.pages using (owner = auth.uid());
         grant select on public.pages to authenticated;
         analyze public.pages;
         set role authenticated;
         set enable_seqscan = off",
    )
    .await;
    let plan = async |condition: &str| {
        let messages = s.owner.simple_query(&format!("explain select id from public.pages where {condition}")).await;
        let lines = messages.unwrap().into_iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    for fast in [
        "words @@ to_tsquery('simple', 'word7')",
        "facts @> '{\"n\": 7}'",
        "title operator(extensions.%) '8f14e45fceea167a5a36dedd4bea2543'",
    ] {
        let plan = plan(fast).await;
        assert!(plan.contains("Bitmap Index Scan"), "{fast}\n{plan}");
    }
    // Its error would tell which hidden titles begin with the pattern.
    let plan = plan(r"title like '8f14e45f%\'").await;
    assert!(plan.contains("Seq Scan"), "{plan}");
}

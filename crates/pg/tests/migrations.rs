//! The migrations runner against a real database.
#![allow(clippy::unwrap_used)] // Also for the helper functions of the tests.

mod binaries;

use std::fs;
use std::path::Path;

use pg::Target;
use pg::bootstrap::{Bootstrapped, bootstrap};
use pg::cluster::{Cluster, SUPERUSER};
use pg::migrations::{MigrationError, Order, Seeded, Skips, apply, apply_skipping, pending, seed};
use tokio_postgres::NoTls;

/// A cluster after the bootstrap, and the login of the role that owns the database.
async fn database(folder: &Path) -> (Cluster, Target) {
    let cluster = Cluster::start(binaries::config(folder)).await.unwrap();
    bootstrap(&cluster.target(SUPERUSER, "postgres"), &[], &[]).await.unwrap();
    let owner = cluster.target("postgres", "postgres");
    (cluster, owner)
}

/// The first column of all rows, as text.
async fn texts(target: &Target, sql: &str) -> Vec<String> {
    let (client, connection) = target.driver_config().connect(NoTls).await.unwrap();
    let driving = tokio::spawn(connection);
    let rows = client.query(sql, &[]).await.unwrap();
    drop(client);
    driving.await.unwrap().unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

fn write(folder: &Path, name: &str, sql: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), sql).unwrap();
}

#[tokio::test]
async fn migrations_are_applied_once_and_recorded_as_by_the_cli() {
    let data = binaries::data_dir();
    let (cluster, owner) = database(data.path()).await;
    let folder = data.path().join("supabase/migrations");
    assert!(apply(&owner, &folder, Order::Strict).await.unwrap().is_empty(), "no folder, no migrations");
    write(&folder, "1_first.sql", "set search_path = '';\ncreate table public.a (id int);\n-- note\nselect 1;");
    write(&folder, "2_second.sql", "create table b (id int default 7);");
    assert_eq!(pending(&owner, &folder, Order::Strict).await.unwrap().len(), 2);
    let (first, second) = tokio::join!(apply(&owner, &folder, Order::Strict), apply(&owner, &folder, Order::Strict));
    assert_eq!(first.unwrap().len() + second.unwrap().len(), 2, "two concurrent instances apply each file once");
    let rows = texts(
        &owner,
        "select concat_ws('|', version, name, array_to_string(statements, ';')) \
         from supabase_migrations.schema_migrations order by version",
    )
    .await;
    let first = "1|first|set search_path = '';create table public.a (id int);-- note\nselect 1";
    assert_eq!(rows, [first, "2|second|create table b (id int default 7)"]);
    let owners =
        texts(&owner, "select tableowner::text from pg_tables where tablename in ('a', 'b') and schemaname = 'public'");
    assert_eq!(owners.await, ["postgres", "postgres"]);

    fs::remove_file(folder.join("1_first.sql")).unwrap();
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err();
    assert!(matches!(&error, MigrationError::MissingLocal { versions, .. } if versions == &["1"]), "{error}");
    cluster.stop().await;
}

#[tokio::test]
async fn a_failing_migration_is_named_and_rolled_back() {
    let data = binaries::data_dir();
    let (cluster, owner) = database(data.path()).await;
    let folder = data.path().join("supabase/migrations");
    write(&folder, "1_good.sql", "create table good ();");
    write(&folder, "2_bad.sql", "create table bad ();\n\n-- why\nselect 1,\n  nothing\nfrom bad;\n");
    write(&folder, "3_later.sql", "create table later ();");
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err();
    let MigrationError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!((failure.statement, failure.line, failure.kept), (2, Some(5), 0));
    assert!(
        error.to_string().contains("2_bad.sql failed at statement 2, line 5: column \"nothing\" does not exist"),
        "{error}"
    );
    let made = "select tablename::text from pg_tables where schemaname = 'public'";
    assert_eq!(texts(&owner, made).await, ["good"]);
    assert_eq!(texts(&owner, "select version from supabase_migrations.schema_migrations").await, ["1"]);

    write(
        &folder,
        "2_bad.sql",
        "create table parent (id int unique deferrable initially deferred); insert into parent values (1), (1);",
    );
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err().to_string();
    assert!(error.contains("2_bad.sql failed when it was committed: duplicate key"), "{error}");
    assert_eq!(texts(&owner, made).await, ["good"]);
    cluster.stop().await;
}

#[tokio::test]
async fn statements_that_cannot_run_in_a_transaction_run_alone() {
    let data = binaries::data_dir();
    let (cluster, owner) = database(data.path()).await;
    let folder = data.path().join("supabase/migrations");
    write(
        &folder,
        "1_index.sql",
        "create table a (id int);\ninsert into a values (1);\ncreate index concurrently a_id on a (id);\nvacuum a;\n\
         begin; insert into a values (2); commit;\ninsert into a values (3);\nselect 1/0;",
    );
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err();
    let MigrationError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!((failure.statement, failure.line, failure.kept), (9, Some(7), 7), "{error}");
    assert!(error.to_string().contains("its first 7 statements stay applied"), "{error}");
    assert_eq!(texts(&owner, "select id::text from a order by id").await, ["1", "2"]);
    assert_eq!(texts(&owner, "select indexname::text from pg_indexes where tablename = 'a'").await, ["a_id"]);
    // Inside DO, such a statement fails outside a transaction, too. Nothing of the file remains.
    write(&folder, "1_index.sql", "create table b (id int);\ndo $$ begin execute 'vacuum b'; end $$;");
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err();
    assert!(
        matches!(&error, MigrationError::Failed(failure) if failure.kept == 0 && failure.statement == 2),
        "{error}"
    );
    write(&folder, "1_index.sql", "copy a from stdin;");
    let error = apply(&owner, &folder, Order::Strict).await.unwrap_err().to_string();
    assert!(error.contains("COPY needs data from a client"), "{error}");
    cluster.stop().await;
}

#[tokio::test]
async fn seeds_run_once_and_their_hashes_are_kept() {
    let data = binaries::data_dir();
    let (cluster, owner) = database(data.path()).await;
    let supabase = data.path().join("supabase");
    write(&supabase, "seed.sql", "create table s (id int); insert into s values (1);");
    let patterns = ["./seed.sql".to_owned()];
    let run = Seeded::Run("supabase/seed.sql".to_owned());
    assert_eq!(seed(&owner, &supabase, &patterns).await.unwrap(), [run]);
    assert_eq!(seed(&owner, &supabase, &patterns).await.unwrap(), []);
    let first = texts(&owner, "select path || ' ' || hash from supabase_migrations.seed_files").await;
    write(&supabase, "seed.sql", "insert into s values (2);");
    let updated = Seeded::HashUpdated("supabase/seed.sql".to_owned());
    assert_eq!(seed(&owner, &supabase, &patterns).await.unwrap(), [updated]);
    assert_eq!(texts(&owner, "select id::text from s").await, ["1"], "a changed file is not run again, as in the CLI");
    let second = texts(&owner, "select path || ' ' || hash from supabase_migrations.seed_files").await;
    assert_eq!((first.len(), second.len(), first == second), (1, 1, false));
    cluster.stop().await;
}

#[tokio::test]
async fn without_a_superuser_only_service_role_stops_the_bootstrap() {
    let data = binaries::data_dir();
    let cluster = Cluster::start(binaries::config(data.path())).await.unwrap();
    let superuser = cluster.target(SUPERUSER, "postgres");
    texts(&superuser, "create role tenant login createrole").await;
    texts(&superuser, "create database app owner tenant").await;
    let tenant = cluster.target("tenant", "app");
    let refused = bootstrap(&tenant, &[], &[]).await.unwrap_err();
    let hint = refused.database().unwrap().hint.clone().unwrap();
    assert!(hint.contains("create role service_role nologin bypassrls"), "{refused}: {hint}");
    // The commands of the hint.
    texts(&superuser, "create role service_role nologin bypassrls").await;
    texts(&superuser, "grant service_role to tenant with admin option").await;
    assert_eq!(bootstrap(&tenant, &[], &[]).await.unwrap(), Bootstrapped::Applied);
    assert_eq!(bootstrap(&tenant, &[], &[]).await.unwrap(), Bootstrapped::Unchanged);
    cluster.stop().await;
}

#[tokio::test]
async fn if_allowed_a_missing_extension_and_its_dependents_are_skipped() {
    let data = binaries::data_dir();
    let (cluster, owner) = database(data.path()).await;
    let folder = data.path().join("supabase/migrations");
    let script = "create table kept ();\n\ncreate extension nobody_has_it;\ncreate table shapes (at nobody_s_type);\n\
        create table also_kept ();\ncreate index on shapes (at);";
    write(&folder, "1_first.sql", script);
    write(&folder, "2_second.sql", "create table last_one (id int);\ninsert into nowhere values (1);\nselect 1 / 0;");
    let refused = apply(&owner, &folder, Order::Strict).await.unwrap_err().to_string();
    assert!(refused.contains("1_first.sql failed at statement 2, line 3"), "{refused}");
    assert!(refused.contains("nobody_has_it is not part of dugout"), "{refused}");
    let mut skips = Skips::allowed();
    let failed = apply_skipping(&owner, &folder, Order::Strict, &mut skips).await.unwrap_err().to_string();
    assert!(failed.contains("division by zero"), "other mistakes still count: {failed}");
    let lines: Vec<&str> = skips.list.iter().map(|line| line.rsplit('/').next().unwrap()).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[0].starts_with("1_first.sql, line 3: extension \"nobody_has_it\" is not available"), "{lines:?}");
    assert!(lines[2].starts_with("1_first.sql, line 6: relation \"shapes\" does not exist"), "{lines:?}");
    assert!(lines[3].starts_with("2_second.sql, line 2: relation \"nowhere\" does not exist"), "{lines:?}");
    let kept =
        texts(&owner, "select relname::text from pg_class where relname in ('kept', 'also_kept', 'shapes') order by 1");
    assert_eq!(kept.await, ["also_kept", "kept"]);
    cluster.stop().await;
}

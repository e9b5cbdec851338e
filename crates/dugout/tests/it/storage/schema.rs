//! The schemas that migrations of projects rely on, and databases that upstream has migrated.

use std::path::PathBuf;

use pg::bootstrap;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::kit::{Database, connect, migrations_of, skip};

#[tokio::test]
async fn migrations_of_projects_can_use_storage_and_realtime() {
    let database = Database::cloned().await;
    let project = connect(&database.as_role("postgres")).await;
    let migration = "
        insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
        values ('avatars-test', 'avatars-test', true, 5242880, array['image/*']);
        create policy \"own folder\" on storage.objects for insert to authenticated
        with check (bucket_id = 'avatars-test' and (storage.foldername(name))[1] = auth.uid()::text);
        create policy \"own files\" on storage.objects for select to authenticated
        using (owner_id = auth.uid()::text and storage.allow_any_operation(array['object.list', 'object.get_authenticated']));
        create policy \"rooms\" on realtime.messages for select to authenticated
        using (realtime.topic() like 'room:%' and extension = 'broadcast');
        create table public.notes (id int primary key, body text);
        create function public.tell() returns trigger language plpgsql security definer as $$
        begin
          perform realtime.broadcast_changes('notes', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$;
        create trigger tell after insert on public.notes for each row execute function public.tell();
        alter publication supabase_realtime add table public.notes;
        alter table storage.objects enable row level security;
        create index on storage.objects (owner_id);";
    project.batch_execute(migration).await.unwrap();
    // The row is kept whether or not the broadcast finds a partition for today.
    project.batch_execute("insert into public.notes values (1, 'x')").await.unwrap();

    let made = "insert into storage.objects (bucket_id, name) values ('avatars-test', 'a/b/c.tar.gz')
                returning storage.foldername(name), storage.filename(name), storage.extension(name)";
    let row = project.query_one(made, &[]).await.unwrap();
    assert_eq!(row.get::<_, Vec<String>>(0), ["a", "b"]);
    assert_eq!((row.get::<_, &str>(1), row.get::<_, &str>(2)), ("c.tar.gz", "gz"));
    let gone = project.batch_execute("delete from storage.objects").await.unwrap_err();
    assert_eq!(gone.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "a row would leave its file behind");
    let statement = "begin; set local storage.allow_delete_query = 'true'; delete from storage.objects; commit";
    project.batch_execute(statement).await.unwrap();
}

#[tokio::test]
async fn a_message_is_sent_if_a_partition_exists_for_it() {
    let database = Database::cloned().await;
    let admin = database.connect().await;
    let sql = "create table realtime.messages_test partition of realtime.messages for values from ('-infinity') to ('infinity');
               select realtime.send('{\"a\": 1}', 'event', 'topic');
               select realtime.send_binary('\\x00', 'event', 'topic', false)";
    admin.batch_execute(sql).await.unwrap();
    let sent = "select private, payload ->> 'id' = id::text and payload ->> 'a' = '1', extension from realtime.messages
                order by private";
    let rows = admin.query(sent, &[]).await.unwrap();
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.get::<_, bool>(0), row.get::<_, Option<bool>>(1), row.get::<_, String>(2)))
        .collect();
    let broadcast = || "broadcast".to_owned();
    assert_eq!(found, [(false, None, broadcast()), (true, Some(true), broadcast())]);
    for (level, operation, words) in [
        ("STATEMENT", "INSERT", "function can only be triggered for each row, not for each statement"),
        ("ROW", "TRUNCATE", "Unexpected operation type: TRUNCATE"),
    ] {
        let sql =
            format!("select realtime.broadcast_changes('t', 'e', '{operation}', 'n', 's', row(1), row(1), '{level}')");
        let refused = admin.batch_execute(&sql).await.unwrap_err();
        assert!(refused.as_db_error().unwrap().message().contains(words), "{refused:?}");
    }
}

/// Upstream's migrations (id, name, text), oldest first, if STORAGE_CHECKOUT names a checkout.
fn upstream_migrations() -> Option<Vec<(i32, String, String)>> {
    let checkout = PathBuf::from(std::env::var_os("STORAGE_CHECKOUT")?);
    let files = std::fs::read_dir(checkout.join("migrations/tenant")).expect("STORAGE_CHECKOUT has migrations");
    let mut migrations: Vec<_> = files
        .flatten()
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).unwrap();
            let name = file.file_name().to_string_lossy().trim_end_matches(".sql").to_owned();
            let (id, name) = name.split_once('-').unwrap();
            (id.parse().unwrap(), name.to_owned(), text)
        })
        .collect();
    migrations.sort();
    Some(migrations)
}

/// A database as storage-api left it when `last` was its newest migration.
async fn migrated_by_upstream(migrations: &[(i32, String, String)], last: i32) -> Database {
    let database = Database::empty().await;
    bootstrap::bootstrap(&database.target(), &[], &[]).await.unwrap();
    let admin = database.connect().await;
    admin.batch_execute("do $$ begin execute format('grant create on database %I to supabase_storage_admin', current_database()); end $$").await.unwrap();
    let service = connect(&database.as_role("supabase_storage_admin")).await;
    let settings = "set search_path to storage, public, extensions;
        select set_config('storage.' || name, value, false)
        from (values ('install_roles', 'false'), ('multitenant', 'false'), ('super_user', 'postgres')) as s (name, value);
        create table storage.migrations (id integer primary key, name varchar(100) unique not null,
          hash varchar(40) not null, executed_at timestamp default current_timestamp);
        insert into storage.migrations values (0, 'create-migrations-table', 'e18db593bcde2aca2a408c4d1100f6abba2195df')";
    service.batch_execute(settings).await.unwrap();
    for (id, name, text) in migrations.iter().filter(|(id, ..)| *id <= last) {
        if !text.contains("-- postgres-migrations ignore") {
            service.batch_execute(text).await.unwrap_or_else(|error| panic!("{id} {name}: {error:?}"));
        }
        let record = "insert into storage.migrations (id, name, hash) values ($1, $2, 'theirs')";
        service.execute(record, &[id, name]).await.unwrap();
    }
    database
}

/// The schema as rows of text: everything that dumps and clients can see of it.
async fn schema(client: &Client) -> Vec<String> {
    client.batch_execute("set search_path = ''").await.unwrap();
    let rows = client.query(include_str!("schema/inventory.sql"), &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn databases_of_all_upstream_versions_are_migrated() {
    let Some(migrations) = upstream_migrations() else {
        skip("STORAGE_CHECKOUT names no checkout of supabase/storage, as ../shared is absent");
        return;
    };
    let newest = migrations.last().unwrap().0;
    let theirs = schema(&migrated_by_upstream(&migrations, newest).await.connect().await).await;
    assert!(theirs.len() > 150, "{}", theirs.len());
    for last in [2, 9, 22, 30, 41, 47, 52, 56, newest] {
        let database = migrated_by_upstream(&migrations, last).await;
        bootstrap::run_service_migrations(&database.target(), migrations_of("storage")).await.unwrap();
        let ours = schema(&database.connect().await).await;
        let lacks = |all: &[String], some: &[String]| -> Vec<String> {
            all.iter().filter(|line| !some.contains(line)).cloned().collect()
        };
        let difference = (lacks(&theirs, &ours), lacks(&ours, &theirs));
        assert_eq!(difference, (vec![], vec![]), "from {last}: only in the upstream schema, only in ours");
        let again = bootstrap::run_service_migrations(&database.target(), migrations_of("storage")).await.unwrap();
        assert!(again.is_empty(), "{again:?}");
    }
}

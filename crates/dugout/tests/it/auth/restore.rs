//! Migration from GoTrue: restores a dump of its data, and adopts a database that it has migrated.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::SinkExt;
use serde_json::json;
use tokio_postgres::Client;
use uuid::Uuid;

use super::refused;
use crate::kit::{Calls, Database, PASSWORD, Server, User, connect, skip};

const DUMP: &str = include_str!("restore/dump.sql");

/// Does what `psql -f` does with a dump.
async fn restore(client: &Client, dump: &str) {
    let mut lines = dump.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("COPY ") {
            client.batch_execute(line).await.unwrap();
            continue;
        }
        let rows: String = lines.by_ref().take_while(|line| *line != "\\.").map(|line| format!("{line}\n")).collect();
        let sink = client.copy_in::<_, Bytes>(line).await.unwrap_or_else(|error| panic!("{line}: {error:?}"));
        let mut sink = std::pin::pin!(sink);
        sink.send(Bytes::from(rows)).await.unwrap();
        sink.finish().await.unwrap_or_else(|error| panic!("{line}: {error:?}"));
    }
}

#[tokio::test]
async fn after_restoring_a_dump_users_sign_in_with_their_passwords() {
    let database = Database::cloned().await;
    restore(&database.connect().await, DUMP).await;
    let s = Server::over(database, &[("GOTRUE_EXTERNAL_PHONE_ENABLED", "true")]).await;
    let sign_in = async |key: &str, who: &str, password: &str| {
        s.post("/auth/v1/token?grant_type=password", json!({ key: who, "password": password })).await
    };
    let signed_in = sign_in("email", "ana@x.test", PASSWORD).await.is(200).json();
    assert_eq!(signed_in["user"]["user_metadata"]["full_name"], "Ana\tAmsel \\ \"Née\"\nLine");
    assert_eq!(signed_in["user"]["factors"][0]["friendly_name"], "phone");
    for (key, who) in [("email", "argon@x.test"), ("email", "firebase@x.test"), ("phone", "+41790000000")] {
        sign_in(key, who, PASSWORD).await.is(200);
        refused(&sign_in(key, who, "wrong").await, 400, "invalid_credentials", "Invalid login credentials");
    }
    let unconfirmed = sign_in("email", "unconfirmed@x.test", PASSWORD).await;
    refused(&unconfirmed, 400, "email_not_confirmed", "Email not confirmed");
    refused(&sign_in("email", "banned@x.test", PASSWORD).await, 400, "user_banned", "User is banned");
    sign_in("email", "deleted@x.test", PASSWORD).await.is(400);

    // Users who were signed in are still signed in.
    let live = "select token from auth.refresh_tokens where not revoked order by id limit 1";
    let token: String = s.database.connect().await.query_one(live, &[]).await.unwrap().get(0);
    let refresh = json!({ "refresh_token": token });
    let session = s.post("/auth/v1/token?grant_type=refresh_token", refresh).await.is(200).json();
    User::of_session(&session, &s.url, &s.anon_key).get("/auth/v1/user").await.is(200);
    s.signed_up("new@x.test").await;
}

/// Upstream's migrations, if a checkout is configured.
fn upstream_migrations() -> Option<Vec<(String, String)>> {
    let checkout = PathBuf::from(std::env::var_os("GOTRUE_CHECKOUT")?);
    let files = std::fs::read_dir(checkout.join("migrations")).expect("GOTRUE_CHECKOUT has migrations");
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| name(path).ends_with(".up.sql"));
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let text = ["{{ index .Options \"Namespace\" }}", "{{index .Options \"Namespace\" }}"]
            .iter()
            .fold(text, |text, place| text.replace(place, "auth"));
        (name(path).split('_').next().unwrap().to_owned(), text)
    };
    Some(paths.iter().map(read).collect())
}

/// A database as GoTrue leaves it.
async fn migrated_by_upstream(migrations: &[(String, String)]) -> Database {
    let database = Database::empty().await;
    let admin = database.connect().await;
    let name: String = admin.query_one("select current_database()::text", &[]).await.unwrap().get(0);
    let schema = format!(
        "create schema auth authorization supabase_auth_admin;
         grant create on database {name} to supabase_auth_admin;"
    );
    admin.batch_execute(&schema).await.unwrap();
    let gotrue = connect(&database.as_role("supabase_auth_admin")).await;
    let table = "set search_path = auth; create table auth.schema_migrations (version varchar(14) not null)";
    gotrue.batch_execute(table).await.unwrap();
    for (version, sql) in migrations {
        gotrue.batch_execute(sql).await.unwrap_or_else(|error| panic!("{version}: {error:?}"));
        gotrue.execute("insert into auth.schema_migrations (version) values ($1)", &[version]).await.unwrap();
    }
    database
}

/// The schema as rows of text: what dumps and clients can see of it.
async fn schema(database: &Database) -> Vec<String> {
    let sql = "
        select 'column ' || c.table_name || '.' || c.column_name || ' ' || c.udt_name || ' '
            || coalesce(c.character_maximum_length::text, '') || ' ' || c.is_nullable || ' ' || coalesce(c.column_default, '')
            || ' ' || coalesce(c.generation_expression, '')
        from information_schema.columns c where c.table_schema = 'auth' and c.table_name <> 'schema_migrations'
        union all
        select 'constraint ' || r.relname || ' ' || o.conname || ' ' || pg_get_constraintdef(o.oid)
        from pg_constraint o join pg_class r on r.oid = o.conrelid
        where r.relnamespace = 'auth'::regnamespace and r.relname <> 'schema_migrations' and o.contype <> 'n'
        union all
        select 'index ' || i.indexdef from pg_indexes i where i.schemaname = 'auth' and i.tablename <> 'schema_migrations'
        union all
        select 'type ' || t.typname || ' ' || string_agg(e.enumlabel, ',' order by e.enumsortorder)
        from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'auth'::regnamespace group by t.typname
        union all
        select 'security ' || relname || ' ' || relrowsecurity
        from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
        order by 1";
    let client = database.connect().await;
    // With an empty search path, names are printed with their schema.
    client.batch_execute("set search_path = ''").await.unwrap();
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn a_database_migrated_by_gotrue_is_adopted_unchanged() {
    let Some(migrations) = upstream_migrations() else {
        skip("GOTRUE_CHECKOUT names no checkout of supabase/auth, as ../shared is absent");
        return;
    };
    let database = migrated_by_upstream(&migrations).await;
    let (theirs, ours) = (schema(&database).await, schema(&Database::cloned().await).await);
    let lacks = |all: &[String], some: &[String]| -> Vec<String> {
        all.iter().filter(|line| !some.contains(line)).cloned().collect()
    };
    assert_eq!(
        (lacks(&theirs, &ours), lacks(&ours, &theirs)),
        (vec![], vec![]),
        "only in the upstream schema, only in ours"
    );

    restore(&database.connect().await, DUMP).await;
    let s = Server::over(database, &[]).await;
    s.signed_in("ana@x.test").await;
    let new = s.signed_up(&format!("{}@x.test", Uuid::new_v4())).await;
    new.get("/auth/v1/user").await.is(200);
    let adopted = schema(&s.database).await;
    assert_eq!(adopted, theirs, "nothing of the schema was changed");
}

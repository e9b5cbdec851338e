//! Users cannot reach each other's rows, even over shared connections: in detail for the tables below; and for every table of
//! the app, nobody else can change or delete a user's rows.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, Request, Server};

/// Time for a response on a machine that runs other tests.
const PATIENCE: Duration = Duration::from_secs(20);

/// The app's tables whose rows have an owner, with the owner's column.
const OWNED: &[(&str, &str)] =
    &[("users", "id"), ("page_views", "user_id"), ("user_sessions", "user_id"), ("token_ledger", "user_id")];

fn rows(answer: &crate::kit::Answer) -> usize {
    if answer.status >= 400 { 0 } else { answer.json().as_array().map_or(0, Vec::len) }
}

#[tokio::test]
async fn users_cannot_reach_each_others_rows() {
    // Few connections, shared by all users: state left behind by one request would show in the next.
    let s = Server::with(&[("DUGOUT_DB_POOL", "4")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let bob = s.signed_up("bob@x.test").await;
    for user in [&ana, &bob] {
        user.post("/rest/v1/page_views", json!({ "page_path": "/" })).await.is(201);
        user.post("/rest/v1/user_sessions", json!({ "device_type": "Mobile" })).await.is(201);
    }
    for (table, owner) in OWNED {
        let of_ana = format!("/rest/v1/{table}?{owner}=eq.{}", ana.id);
        let everyone = format!("/rest/v1/{table}?select={owner}");
        assert_eq!(rows(&ana.get(&of_ana).await.is(200)), 1, "{table}: her own row");
        assert_eq!(rows(&s.as_service(Method::GET, &everyone).await.is(200)), 2, "{table}: the service sees both");
        for _ in 0..3 {
            let seen = bob.get(&everyone).await.is(200).json();
            assert_eq!(seen, json!([{ *owner: bob.id }]), "{table}: bob sees his own row only");
            assert_eq!(rows(&s.get(&everyone).await), 0, "{table}: an anonymous client sees nothing");
        }
        let back = |request: Request| request.header("prefer", "return=representation");
        for (who, attempt) in [
            ("bob patches", back(bob.patch(&of_ana, json!({ *owner: bob.id })))),
            ("bob deletes", back(bob.delete(&of_ana))),
            ("bob inserts", back(bob.post(&format!("/rest/v1/{table}"), json!({ *owner: ana.id })))),
            ("a stranger patches", back(s.patch(&of_ana, json!({ *owner: bob.id })))),
            ("a stranger deletes", back(s.delete(&of_ana))),
            ("a stranger inserts", back(s.post(&format!("/rest/v1/{table}"), json!({ *owner: ana.id })))),
        ] {
            let answer = attempt.await;
            assert_eq!(rows(&answer), 0, "{who} in {table}: {} {}", answer.status, answer.body);
            assert!(answer.status < 500, "{who} in {table}: {} {}", answer.status, answer.body);
        }
        assert_eq!(rows(&ana.get(&of_ana).await.is(200)), 1, "{table}: her row is still hers");
    }
}

/// Tries to delete every row, and to clear the first column of every row. Returns the codes of the refusals.
async fn vandalise(client: &impl Calls, table: &str, column: &str) -> Vec<String> {
    let every_row = format!("/rest/v1/{table}?{column}=not.is.null");
    let mut codes = Vec::new();
    for attempt in [client.delete(&every_row), client.patch(&every_row, json!({ column: null }))] {
        let answer = attempt.await;
        assert!(answer.status < 500, "{table}: {} {}", answer.status, answer.body);
        let code = answer.body_json().and_then(|body| Some(body.get("code")?.as_str()?.to_owned()));
        codes.push(code.unwrap_or_default());
    }
    codes
}

/// The number and a hash of a table's rows that do not mention `user`.
async fn rows_of_others(admin: &tokio_postgres::Client, table: &str, user: &str) -> (i64, String) {
    let query = format!(
        "select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) \
         from public.{table} t where position($1 in t::text) = 0"
    );
    let row = admin.query_one(&query, &[&user]).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn users_cannot_change_or_delete_the_rows_of_others_in_any_table() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let bob = s.signed_up("bob@x.test").await;
    let bobs_id = bob.id.to_string();
    ana.post("/rest/v1/page_views", json!({ "page_path": "/" })).await.is(201);
    ana.post("/rest/v1/user_sessions", json!({ "device_type": "Mobile" })).await.is(201);
    let admin = s.database.connect().await;
    let tables = admin
        .query(
            "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1 \
             where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1",
            &[],
        )
        .await
        .unwrap();
    assert!(tables.len() > 30, "only {} tables", tables.len());
    let mut with_rows = 0;
    for row in &tables {
        let (table, column): (&str, &str) = (row.get(0), row.get(1));
        let before = rows_of_others(&admin, table, &bobs_id).await;
        with_rows += usize::from(before.0 > 0);
        vandalise(&bob, table, column).await;
        let refusals = vandalise(&s, table, column).await;
        // A refusal by a constraint means that the policies had allowed the row.
        assert!(!refusals.iter().any(|code| code.starts_with("23")), "{table}: only a constraint was in the way");
        assert_eq!(rows_of_others(&admin, table, &bobs_id).await, before, "{table}: rows of others changed");
    }
    assert!(with_rows >= OWNED.len(), "only {with_rows} tables have rows that could be changed");
}

/// The test above detects a table that is not protected.
#[tokio::test]
async fn an_unprotected_table_is_detected() {
    let s = Server::start().await;
    let bob = s.signed_up("bob@x.test").await;
    let admin = s.database.connect().await;
    let unguarded = "create table public.unguarded (id int); insert into public.unguarded values (1); \
         grant all on public.unguarded to authenticated";
    admin.batch_execute(unguarded).await.unwrap();
    let begun = Instant::now();
    while bob.get("/rest/v1/unguarded").await.status != 200 {
        assert!(begun.elapsed() < PATIENCE, "the catalog does not follow");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let before = rows_of_others(&admin, "unguarded", "nobody").await;
    vandalise(&bob, "unguarded", "id").await;
    assert_ne!(rows_of_others(&admin, "unguarded", "nobody").await, before);
}

#[tokio::test]
async fn every_table_of_the_app_has_row_level_security() {
    let s = Server::start().await;
    let open = s
        .database
        .connect()
        .await
        .query(
            "select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace \
             and not relrowsecurity",
            &[],
        )
        .await
        .unwrap();
    assert!(open.is_empty(), "{:?}", open.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>());
}

#[tokio::test]
async fn private_schemas_are_not_accessible() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    for schema in ["auth", "private", "pg_catalog", "information_schema", "supabase_migrations"] {
        for request in [ana.get("/rest/v1/users"), s.as_service(Method::GET, "/rest/v1/users")] {
            let answer = request.header("accept-profile", schema).await.is(406);
            assert_eq!(answer.json()["code"], "PGRST106", "{schema}");
        }
    }
    let functions = ana.post("/rest/v1/rpc/pg_read_file", json!({ "filename": "/etc/passwd" })).await.is(404);
    assert_eq!(functions.json()["code"], "PGRST202");
}

#[tokio::test]
async fn owners_can_write_only_permitted_columns() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let own = format!("/rest/v1/users?id=eq.{}", ana.id);
    ana.patch(&own, json!({ "full_name": "Ana B." })).await.is(204);
    for (column, value) in [
        ("referral_tokens", json!(1_000_000)),
        ("bonus_tokens_awarded", json!(false)),
        ("role", json!("admin")),
        ("is_admin", Value::Bool(true)),
        ("id", json!("00000000-0000-4000-8000-000000000001")),
    ] {
        let refused = ana.patch(&own, json!({ column: value })).await.is(403);
        assert_eq!(refused.json()["code"], "42501", "{column}");
    }
    let now = ana.get(&own).await.is(200).json();
    assert_eq!((&now[0]["full_name"], &now[0]["referral_tokens"]), (&json!("Ana B."), &json!(150)));
}

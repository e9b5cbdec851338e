//! Every table of the app × every user × every method: no user reaches another's rows, even on shared connections.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, Request, Server};

/// The app's tables whose rows have an owner, with the owner's column.
const OWNED: &[(&str, &str)] =
    &[("users", "id"), ("page_views", "user_id"), ("user_sessions", "user_id"), ("token_ledger", "user_id")];

fn rows(answer: &crate::kit::Answer) -> usize {
    if answer.status >= 400 { 0 } else { answer.json().as_array().map_or(0, Vec::len) }
}

#[tokio::test]
async fn nobody_reaches_another_users_rows() {
    // Few connections, shared by all users: state that one request leaves behind would show in the next.
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
async fn private_schemas_are_out_of_reach() {
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
async fn an_owner_writes_only_what_is_theirs_to_say() {
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

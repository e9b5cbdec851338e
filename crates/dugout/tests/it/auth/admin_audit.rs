//! `GET /admin/audit`, and the entries of the audit log.

use reqwest::Method;
use serde_json::{Value, json};

use super::refused;
use crate::kit::{Answer, Calls, PASSWORD, Server};

async fn log(s: &Server, query: &str) -> Answer {
    s.as_service(Method::GET, &format!("/auth/v1/admin/audit?{query}")).await
}

fn actions(answer: &Answer) -> Vec<String> {
    let entries = answer.json().as_array().unwrap().clone();
    entries.iter().map(|entry| entry["payload"]["action"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_action_is_logged_newest_first() {
    let s = Server::start().await;
    let mut ana = s.signed_up_with("ana@x.test", json!({ "full_name": "Ana Amsel" })).await;
    ana.refresh().await.is(200);
    ana.put("/auth/v1/user", json!({ "password": "another password" })).await.is(200);
    ana.post("/auth/v1/logout", json!({})).await.is(204);
    let user = format!("/auth/v1/admin/users/{}", ana.id);
    s.as_service(Method::PUT, &user).json(&json!({ "role": "editor" })).await.is(200);
    s.as_service(Method::DELETE, &user).await.is(200);
    let all = log(&s, "").await.is(200);
    assert_eq!(
        actions(&all),
        [
            "user_deleted",
            "user_modified",
            "logout",
            "user_modified",
            "user_updated_password",
            "token_revoked",
            "token_refreshed",
            "login",
            "user_signedup",
        ]
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown(all.json())).unwrap());
}

/// The entries without ids and times.
fn shown(mut entries: Value) -> Value {
    for entry in entries.as_array_mut().unwrap() {
        for place in ["id", "created_at"] {
            entry[place] = json!("");
        }
        entry["payload"]["actor_id"] = json!("");
        if entry["payload"]["traits"].get("user_id").is_some() {
            entry["payload"]["traits"]["user_id"] = json!("");
        }
    }
    entries
}

#[tokio::test]
async fn entries_are_filtered_by_author_action_and_type() {
    let s = Server::start().await;
    s.signed_up_with("ana@x.test", json!({ "full_name": "Ana Amsel" })).await;
    let mut bob = s.signed_up("bob@x.test").await;
    bob.refresh().await.is(200);
    for (query, expected) in [
        ("author:AMSEL", &["login", "user_signedup"][..]),
        ("author:bob@x", &["token_revoked", "token_refreshed", "login", "user_signedup"]),
        ("action:token_", &["token_revoked", "token_refreshed"]),
        ("type:team", &["user_signedup", "user_signedup"]),
        ("type:nothing", &[]),
    ] {
        assert_eq!(actions(&log(&s, &format!("query={query}")).await.is(200)), expected, "{query}");
    }
    let page = log(&s, "query=type:account&per_page=1&page=2").await.is(200);
    assert_eq!((actions(&page).len(), page.header("x-total-count")), (1, "2"));
    let link = "</auth/v1/admin/audit?page=2&per_page=1&query=type%3Aaccount>; rel=\"last\"";
    assert_eq!(page.header("link"), link);
    for query in ["payload:x", "author"] {
        let message = format!("Invalid query scope: {query}");
        refused(&log(&s, &format!("query={query}")).await, 400, "validation_failed", &message);
    }
    refused(&bob.get("/auth/v1/admin/audit").await, 403, "not_admin", "User not allowed");
}

#[tokio::test]
async fn the_table_can_be_left_empty() {
    let s = Server::with(&[("GOTRUE_AUDIT_LOG_DISABLE_POSTGRES", "true")]).await;
    s.signed_up("ana@x.test").await;
    s.post("/auth/v1/token?grant_type=password", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    assert_eq!(log(&s, "").await.is(200).json(), json!([]));
}

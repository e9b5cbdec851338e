//! Bad input gets the original's status and code; no input from a client causes a 500.

use serde_json::json;

use crate::kit::{Calls, Server};

#[tokio::test]
async fn malformed_bodies_are_refused_as_by_the_original() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    for (body, kind) in [
        ("{", "application/json"),
        ("[1,", "application/json"),
        ("\u{0}", "application/json"),
        ("", "application/json"),
    ] {
        let answer = s.post("/auth/v1/signup", json!({})).body(body).header("content-type", kind).await.is(400);
        assert_eq!(answer.json()["error_code"], "bad_json", "{body:?}");
    }
    let answer = ana.post("/rest/v1/page_views", json!({})).body("{").await.is(400);
    assert_eq!(answer.json()["code"], "PGRST102", "{}", answer.body);
    let answer =
        ana.post("/rest/v1/page_views", json!({})).body("<x/>").header("content-type", "text/xml").await.is(400);
    assert_eq!(answer.json()["code"], "PGRST102", "{}", answer.body);
}

#[tokio::test]
async fn a_body_past_the_limit_is_refused() {
    let s = Server::start().await;
    let body = json!({ "email": "ana@x.test", "password": "x".repeat(2 << 20) });
    let answer = s.post("/auth/v1/signup", body).await;
    assert_eq!(answer.status, 413, "{}", answer.body);
    // Below the limit, the server evaluates the body.
    let body = json!({ "email": "ana@x.test", "password": "correct horse", "data": { "note": "x".repeat(200_000) } });
    s.post("/auth/v1/signup", body).await.is(200);
}

#[tokio::test]
async fn deeply_nested_json_is_refused() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let deep = "[".repeat(100_000);
    let answer = s.post("/auth/v1/signup", json!({})).body(deep.clone()).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let answer = ana.post("/rest/v1/page_views", json!({})).body(deep).await;
    assert!([400, 413].contains(&answer.status), "{} {}", answer.status, answer.body);
}

#[tokio::test]
async fn sql_in_names_and_values_is_only_text() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let tricks = [
        "users\"; drop table users; --",
        "users' or '1'='1",
        "id;select pg_sleep(10)",
        "a\\\"b",
        "\u{fffd}",
        "$1",
        "${x}",
        "id)::text from users--",
        "\u{202e}",
        "''",
        "\"\"",
        "%",
        "(((((",
        ")",
        "a,b",
        "*",
        "!inner",
        "...",
    ];
    for trick in tricks {
        let q = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
        let trick = &q(trick);
        for path in [
            format!("/rest/v1/{trick}"),
            format!("/rest/v1/users?select={trick}"),
            format!("/rest/v1/users?select=id,{trick}(id)"),
            format!("/rest/v1/users?{trick}=eq.1"),
            format!("/rest/v1/users?id={trick}"),
            format!("/rest/v1/users?email=eq.{trick}"),
            format!("/rest/v1/users?email=in.({trick})"),
            format!("/rest/v1/users?or=({trick})"),
            format!("/rest/v1/users?order={trick}"),
            format!("/rest/v1/users?limit={trick}"),
            format!("/rest/v1/rpc/{trick}"),
        ] {
            let answer = ana.get(&path).await;
            assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.body);
            assert!(!answer.body.contains("42601"), "{path} reached PostgreSQL as bad SQL: {}", answer.body);
        }
    }
    assert_eq!(ana.get("/rest/v1/users?select=id").await.is(200).json(), json!([{ "id": ana.id }]));
}

#[tokio::test]
async fn odd_columns_and_headers_cause_no_500() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    for body in [
        json!({ "page_path\"; drop table users; --": "/" }),
        json!({ "": "/" }),
        json!({ "page_path": { "a": [1, 2] } }),
        json!({ "page_path": "a\u{0}b" }),
        json!([]),
        json!([1]),
        json!("text"),
        json!(null),
    ] {
        let answer = ana.post("/rest/v1/page_views", body.clone()).await;
        assert!(answer.status < 500, "{body}: {} {}", answer.status, answer.body);
    }
    for (header, value) in [
        ("prefer", "return=everything, count=perhaps, resolution=, tx=\u{7f}"),
        ("range", "9-1"),
        ("range", "abc"),
        ("accept", "application/x-nonsense"),
        ("accept-profile", "\"; drop schema public; --"),
        ("content-type", "multipart/form-data"),
    ] {
        if let Ok(value) = reqwest::header::HeaderValue::from_str(value) {
            let answer = ana.get("/rest/v1/users").header(header, value.to_str().unwrap()).await;
            assert!(answer.status < 500, "{header}: {} {}", answer.status, answer.body);
        }
    }
}

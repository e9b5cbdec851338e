//! Subscriptions to changes of tables: their tokens and what ends them.

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::changes::{ANA, change, filtered, on, server};
use super::token;
use crate::kit::{Live, Server};

/// Joins while the stream of changes cannot be opened, and replaces the token by then. `open` lets the stream begin.
async fn with_new_token(server: &Server, admin: &Client, (first, second): (&str, &str), binding: Value) -> Live {
    let mut socket = Live::open(&server.url, first).await;
    // A slot is made when the transactions that were running have ended.
    admin.batch_execute("begin; select pg_current_xact_id()").await.unwrap();
    socket.joined("realtime:changes", json!({ "postgres_changes": [binding] })).await;
    socket.send("realtime:changes", "access_token", json!({ "access_token": second })).await;
    socket.is_silent().await;
    admin.batch_execute("commit").await.unwrap();
    socket
}

#[tokio::test]
async fn a_user_who_signs_in_before_the_stream_opens_sees_their_rows() {
    let (server, admin) = server().await;
    let ana = token(&server, json!({ "sub": ANA }));
    let mut socket = with_new_token(&server, &admin, (&server.anon_key, &ana), on("own")).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    admin.batch_execute(&format!("insert into public.own values (1, null, 'a'), (2, '{ANA}', 'b')")).await.unwrap();
    assert_eq!(change(&mut socket).await.payload["data"]["record"]["id"], 2);
    socket.is_silent().await;
}

#[tokio::test]
async fn a_user_who_signs_out_before_the_stream_opens_sees_nothing_more() {
    let (server, admin) = server().await;
    let tokens = (token(&server, json!({ "sub": ANA })), token(&server, json!({ "role": "anon" })));
    let mut socket = with_new_token(&server, &admin, (&tokens.0, &tokens.1), on("own")).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    let mut witness = Live::open(&server.url, &tokens.0).await;
    witness.joined("realtime:changes", json!({ "postgres_changes": [on("own")] })).await;
    witness.event("system").await;
    admin.batch_execute(&format!("insert into public.own values (1, '{ANA}', 'a')")).await.unwrap();
    assert_eq!(change(&mut witness).await.payload["data"]["record"]["id"], 1);
    socket.is_silent().await;
}

#[tokio::test]
async fn the_columns_are_checked_for_the_new_role() {
    for (roles, status) in [(["anon", "authenticated"], "ok"), (["authenticated", "anon"], "error")] {
        let (server, admin) = server().await;
        let tokens = roles.map(|role| token(&server, json!({ "role": role, "sub": ANA })));
        let binding = filtered("some_columns", "shown=eq.yes");
        let mut socket = with_new_token(&server, &admin, (&tokens[0], &tokens[1]), binding).await;
        let said = socket.event("system").await.payload;
        assert_eq!(said["status"], status, "{roles:?}: {said}");
    }
}

//! What one client can make the server keep or do.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::changes::{filtered, server};
use super::{plain, private};
use crate::kit::{Live, Server};

#[tokio::test]
async fn a_long_reference_is_not_kept() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    // As JSON it has two quotes more.
    for (length, is_heard) in [(2046, true), (2047, false), (4_000_000, false)] {
        let topic = format!("realtime:{length}");
        let join_ref = "x".repeat(length);
        let frame = json!([join_ref, "1", topic, "phx_join", { "config": plain() }]);
        socket.send_raw(Message::text(frame.to_string())).await;
        if is_heard {
            let heard = socket.message().await;
            assert_eq!((heard.topic, heard.join_ref), (topic, json!(join_ref)));
        }
        socket.is_silent().await;
    }
}

#[tokio::test]
async fn a_large_presence_is_not_kept() {
    let server = Server::start().await;
    let mut watcher = Live::open(&server.url, &server.anon_key).await;
    watcher.joined("realtime:room", json!({ "presence": { "enabled": true } })).await;
    watcher.event("presence_state").await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    let of = |length: usize| json!({ "event": "track", "payload": { "a": "x".repeat(length) } });
    let (limit, frame) = (64 * 1024, of(0).to_string().len());
    let reference = socket.send("realtime:room", "presence", of(limit - frame)).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok");
    let told = watcher.event("presence_diff").await.payload;
    let metas = &told["joins"].as_object().unwrap().values().next().unwrap()["metas"];
    assert_eq!(metas[0]["a"].as_str().unwrap().len(), limit - frame);
    socket.send("realtime:room", "presence", of(limit - frame + 1)).await;
    let said = socket.event("system").await;
    assert_eq!(said.payload["message"], "Track message size exceeded");
    assert_eq!(socket.message().await.event, "phx_close");
}

/// Subscriptions with patterns that PostgreSQL needs seconds to read.
fn expensive() -> Vec<Value> {
    // Each is another one, because PostgreSQL remembers those it has read.
    let pattern = |number: i32| format!("body=match.((({number}|b|c|d){{0,50}}e?){{0,50}})");
    (0..12).map(|number| filtered("notes", &pattern(number))).collect()
}

#[tokio::test]
async fn an_expensive_filter_is_refused() {
    let (server, _admin) = server().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:x", json!({ "postgres_changes": expensive() })).await;
    let said = socket.event("system").await.payload;
    let message = said["message"].as_str().unwrap();
    assert!(message.contains("ERROR 57014 canceling statement due to statement timeout"), "{message}");
}

#[tokio::test]
async fn checks_of_subscriptions_leave_the_database_to_others() {
    let (server, admin) = server().await;
    let policy = "create policy readers on realtime.messages for select to anon using (true)";
    admin.batch_execute(policy).await.unwrap();
    for _ in 0..4 {
        let mut socket = Live::open(&server.url, &server.anon_key).await;
        socket.joined("realtime:x", json!({ "postgres_changes": expensive() })).await;
    }
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    for number in 0..20 {
        socket.joined(&format!("realtime:room{number}"), private()).await;
    }
}

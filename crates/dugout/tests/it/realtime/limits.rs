//! What one client can make the server keep or do.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::plain;
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

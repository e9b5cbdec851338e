//! Joining, leaving, and messages that are none.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::plain;
use crate::kit::{Live, Server};

#[tokio::test]
async fn heartbeats_joins_and_leaves_are_answered() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let reference = socket.send("phoenix", "heartbeat", json!({})).await;
    assert_eq!(socket.reply(&reference).await, json!({ "status": "ok", "response": {} }));

    let joined = socket.joined("realtime:room", plain()).await;
    assert_eq!(joined, json!({ "postgres_changes": [] }), "the key is always there");

    // A second join closes the first channel, with the reference of its join.
    socket.send_raw(Message::text(json!(["7", "7", "realtime:room", "phx_join", { "config": {} }]).to_string())).await;
    let closed = socket.message().await;
    assert_eq!((closed.event.as_str(), &closed.join_ref), ("phx_close", &Value::from("realtime:room")));
    assert_eq!(socket.reply("7").await["status"], "ok");

    let reference = socket.send("realtime:room", "phx_leave", json!({})).await;
    assert_eq!(socket.reply(&reference).await, json!({ "status": "ok", "response": {} }));
    let closed = socket.message().await;
    assert_eq!((closed.event.as_str(), &closed.join_ref), ("phx_close", &Value::from("7")));

    let reference = socket.send("realtime:room", "broadcast", json!({})).await;
    let unmatched = json!({ "status": "error", "response": { "reason": "unmatched topic" } });
    assert_eq!(socket.reply(&reference).await, unmatched);
    let reference = socket.send("realtime:room", "phx_leave", json!({})).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok");
    assert_eq!(socket.join("room", json!({})).await, unmatched, "topics begin with realtime:");
    let reply = socket.join("realtime:", json!({ "config": {} })).await;
    assert_eq!(reply["response"]["reason"], "TopicNameRequired: You must provide a topic name");
}

#[tokio::test]
async fn version_1_has_objects_without_join_ref() {
    let server = Server::start().await;
    let mut socket = Live::open_v1(&server.url, &server.anon_key).await;
    let join = json!({ "topic": "realtime:a", "event": "phx_join", "payload": { "config": {} }, "ref": "9" });
    socket.send_raw(Message::text(join.to_string())).await;
    let Message::Text(text) = socket.frame().await else { panic!("no text") };
    let found: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({ "topic": "realtime:a", "event": "phx_reply", "ref": "9",
                           "payload": { "status": "ok", "response": { "postgres_changes": [] } } });
    assert_eq!(found, expected);
}

#[tokio::test]
async fn malformed_frames_are_dropped_and_the_socket_lives() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    for text in ["", "{}", "null", "[1,2]", "[null,null,null,null,null]", "[[[[", "\u{0}"] {
        socket.send_raw(Message::text(text)).await;
    }
    for bytes in [&b""[..], b"\x03", b"\x00\x01\x01\x01\x01", b"\x03\xff\xff\xff\xff\xff\x01", &[0xff; 300]] {
        socket.send_raw(Message::binary(bytes.to_vec())).await;
    }
    socket.send("realtime:room", "unknown", json!({})).await;
    socket.send("realtime:room", "access_token", json!(7)).await;
    socket.send("realtime:room", "access_token", json!({ "access_token": null })).await;
    socket.is_silent().await;
    socket.send_raw(Message::Ping(b"x".to_vec().into())).await;
    assert_eq!(socket.frame().await, Message::Pong(b"x".to_vec().into()));
}

#[tokio::test]
async fn a_frame_over_the_limit_ends_only_its_own_socket() {
    let server = Server::start().await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room", plain()).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.send_raw(Message::text("x".repeat(5_000_001))).await;
    socket.close_code().await;
    other.is_silent().await;
}

#[tokio::test]
async fn what_a_join_keeps_is_limited() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let refused = "JoinTooLarge: The topic or the payload of the join is too long";
    let topic = |length: usize| format!("realtime:{}", "t".repeat(length - "realtime:".len()));
    socket.joined(&topic(1024), json!({})).await;
    let reply = socket.join(&topic(1025), json!({ "config": {} })).await;
    assert_eq!(reply["response"]["reason"], refused);
    let config = |length: usize| json!({ "presence": { "key": "k".repeat(length) } });
    let room = 64 * 1024 - config(0).to_string().len();
    socket.joined("realtime:a", config(room)).await;
    let reply = socket.join("realtime:b", json!({ "config": config(room + 1) })).await;
    assert_eq!(reply["response"]["reason"], refused);
    let changes = |number: usize| json!({ "postgres_changes": vec![json!({ "schema": "none" }); number] });
    let joined = socket.joined("realtime:c", changes(100)).await;
    assert_eq!(joined["postgres_changes"].as_array().unwrap().len(), 100);
    let reply = socket.join("realtime:d", json!({ "config": changes(101) })).await;
    assert_eq!(reply["response"]["reason"], refused);
}

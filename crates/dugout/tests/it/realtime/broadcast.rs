//! Broadcasts between sockets and from HTTP.

use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::plain;
use crate::kit::{Calls, Live, Server};

/// A binary frame of kind 3.
fn pushed(topic: &str, event: &str, encoding: u8, payload: &[u8]) -> Message {
    let mut frame = vec![3, 1, 1, topic.len() as u8, event.len() as u8, 0, encoding];
    for part in [b"1", b"5", topic.as_bytes(), event.as_bytes(), payload] {
        frame.extend_from_slice(part);
    }
    Message::binary(frame)
}

#[tokio::test]
async fn both_versions_hear_each_other() {
    let server = Server::start().await;
    let mut one = Live::open_v1(&server.url, &server.anon_key).await;
    let mut two = Live::open(&server.url, &server.anon_key).await;
    let mut sender = Live::open(&server.url, &server.anon_key).await;
    for socket in [&mut one, &mut two, &mut sender] {
        socket.joined("realtime:room", plain()).await;
    }
    // JSON in a binary frame keeps its bytes.
    sender.send_raw(pushed("realtime:room", "e", 1, br#"{"n": 1.50}"#)).await;
    let heard = two.message().await;
    assert_eq!((heard.topic.as_str(), &heard.bytes[..]), ("realtime:room", &br#"{"n": 1.50}"#[..]));
    assert_eq!(heard.payload, json!({ "type": "broadcast", "event": "e", "payload": { "n": 1.5 } }));
    let heard = one.message().await;
    assert_eq!(heard.payload, json!({ "type": "broadcast", "event": "e", "payload": { "n": 1.5 } }));
    // Bytes reach version 2 only.
    sender.send_raw(pushed("realtime:room", "b", 0, &[0, 255])).await;
    assert_eq!(two.message().await.bytes, [0, 255]);
    // A text frame stays text for everybody.
    let payload = json!({ "type": "broadcast", "event": "t", "payload": { "x": [1] } });
    sender.send("realtime:room", "broadcast", payload.clone()).await;
    for socket in [&mut one, &mut two] {
        let heard = socket.message().await;
        assert_eq!((heard.event.as_str(), &heard.payload), ("broadcast", &payload));
        assert_eq!((&heard.join_ref, heard.bytes.len()), (&Value::Null, 0));
    }
    sender.is_silent().await;
}

#[tokio::test]
async fn ack_and_self_are_as_configured() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let mut same_user = Live::open(&server.url, &server.anon_key).await;
    same_user.joined("realtime:room", plain()).await;
    socket.joined("realtime:room", json!({ "broadcast": { "ack": true, "self": "True" } })).await;
    let payload = json!({ "type": "broadcast", "event": "e", "payload": {} });
    let reference = socket.send("realtime:room", "broadcast", payload.clone()).await;
    assert_eq!(socket.message().await.payload, payload);
    assert_eq!(socket.reply(&reference).await, json!({ "status": "ok", "response": {} }));
    assert_eq!(same_user.message().await.payload, payload, "self is about the channel, not about the user");

    // One byte more than allowed, and as much as allowed.
    let limit = 3_000_000;
    let of = |length: usize| json!({ "event": "e", "payload": "x".repeat(length) });
    let frame = of(0).to_string().len();
    let reference = socket.send("realtime:room", "broadcast", of(limit - frame + 1)).await;
    assert_eq!(socket.reply(&reference).await, json!({ "status": "error", "response": "payload_size_exceeded" }));
    let reference = socket.send("realtime:room", "broadcast", of(limit - frame)).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok");
}

#[tokio::test]
async fn topics_are_apart() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room2", plain()).await;
    other.send("realtime:room2", "broadcast", json!({ "event": "e" })).await;
    socket.is_silent().await;
}

#[tokio::test]
async fn http_reaches_public_channels() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    let messages = json!({ "messages": [
        { "topic": "room", "event": "e", "payload": { "n": 1 } }, { "topic": "elsewhere", "event": "e", "payload": {} }] });
    let answer = server.post("/realtime/v1/api/broadcast", messages).await.is(202);
    assert_eq!((answer.body.as_str(), answer.header("x-rate-limit")), ("", "100"));
    let expected = json!({ "type": "broadcast", "event": "e", "payload": { "n": 1 } });
    assert_eq!(socket.message().await.payload, expected);

    let named = json!({ "messages": [{ "topic": "room", "event": "e", "payload": { "n": 1 }, "id": "mine" }] });
    server.post("/realtime/v1/api/broadcast", named).await.is(202);
    assert_eq!(socket.message().await.payload["meta"], json!({ "id": "mine" }));

    let path = "/realtime/v1/api/broadcast/room/events/e";
    server.post(path, json!({ "n": 1 })).await.is(202);
    let heard = socket.message().await;
    assert_eq!((&heard.payload, &heard.bytes[..]), (&expected, &b"{\"n\":1}"[..]));
    let bytes = server.request(Method::POST, path).body(vec![0, 1]).header("content-type", "application/octet-stream");
    bytes.await.is(202);
    assert_eq!(socket.message().await.bytes, [0, 1]);

    let text = server.request(Method::POST, path).body("x").header("content-type", "text/plain");
    let refused = text.await.is(415).json();
    let media = "Unsupported Media Type. Use application/json or application/octet-stream";
    assert_eq!(refused, json!({ "error": media }));
    server.request(Method::POST, path).body("{").await.is(422);
    let wrong = server.post("/realtime/v1/api/broadcast", json!({ "messages": [{ "topic": "t", "event": "e" }] }));
    assert_eq!(wrong.await.is(422).json(), json!({ "errors": { "messages": [{ "payload": ["can't be blank"] }] } }));
    server.post("/realtime/v1/api/broadcast", json!({})).await.is(422);
    let anonymous = server.post(path, json!({})).header("apikey", "");
    assert_eq!(anonymous.await.is(401).json(), json!({ "message": "Unauthorized" }));
    server.post(path, json!({})).bearer("nonsense").await.is(401);
    socket.is_silent().await;
}

#[tokio::test]
async fn who_sends_too_much_loses_the_channel() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "1")]).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    for _ in 0..61 {
        socket.send("realtime:room", "broadcast", json!({ "event": "e" })).await;
    }
    let said = socket.message().await;
    assert_eq!((said.event.as_str(), &said.payload["message"]), ("system", &json!("Too many messages per second")));
    assert_eq!(said.payload["extension"], "system");
    assert_eq!(socket.message().await.event, "phx_close");
    let answer = server.post("/realtime/v1/api/broadcast/room/events/e", json!({})).await.is(429);
    assert_eq!(answer.json(), json!({ "message": "Too many requests" }));
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected_and_nobody_waits_for_it() {
    let settings = [("TENANT_MAX_EVENTS_PER_SECOND", "0")];
    let server = Server::with(&settings).await;
    let mut slow = Live::open(&server.url, &server.anon_key).await;
    slow.joined("realtime:room", plain()).await;
    let mut reader = Live::open(&server.url, &server.anon_key).await;
    reader.joined("realtime:room", plain()).await;
    let mut sender = Live::open(&server.url, &server.anon_key).await;
    sender.joined("realtime:room", json!({ "broadcast": { "ack": true } })).await;
    let payload = json!({ "event": "e", "payload": "x".repeat(500_000) });
    // More than its queue of 8 MiB and the buffers of the sockets hold.
    for _ in 0..40 {
        let reference = sender.send("realtime:room", "broadcast", payload.clone()).await;
        assert_eq!(sender.reply(&reference).await["status"], "ok");
        assert_eq!(reader.message().await.event, "broadcast");
    }
    // What had been written before can still be read; then the connection ends.
    assert_eq!(slow.close_code().await, 0);
}

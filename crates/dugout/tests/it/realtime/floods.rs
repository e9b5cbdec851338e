//! A flood of requests by one client must not affect other clients.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::plain;
use crate::kit::{Live, Server};

/// How long an answer to another client may take during a flood, on a machine that runs many tests.
const NOTICEABLE: Duration = Duration::from_secs(20);

/// Checks that another socket still gets its answers.
async fn goes_on(other: &mut Live) {
    let begun = Instant::now();
    let reference = other.send("phoenix", "heartbeat", json!({})).await;
    assert_eq!(other.reply(&reference).await["status"], "ok");
    assert!(begun.elapsed() < NOTICEABLE, "an answer to somebody else took {:?}", begun.elapsed());
}

#[tokio::test]
async fn ten_thousand_topics_on_a_socket_take_nothing_from_others() {
    let server = Server::start().await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room", plain()).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let mut refused = 0;
    for number in 0..10_000 {
        let reply = socket.join(&format!("realtime:{number}"), json!({ "config": {} })).await;
        if reply["status"] == "ok" {
            assert!(number < 100, "topic {number}");
            continue;
        }
        refused += 1;
        let reason = &reply["response"]["reason"];
        if reason == "ClientJoinRateLimitReached: Too many joins per second" {
            break;
        }
        assert_eq!(reason, "ChannelRateLimitReached: Too many channels");
        if number % 1000 == 0 {
            goes_on(&mut other).await;
        }
    }
    assert!(refused > 1000, "{refused}");
    // Joins above the socket's own limit did not count for the server.
    socket.close_code().await;
    other.joined("realtime:another", plain()).await;
    let mut late = Live::open(&server.url, &server.anon_key).await;
    late.joined("realtime:room", plain()).await;
    late.send("realtime:room", "broadcast", json!({ "event": "e" })).await;
    assert_eq!(other.event("broadcast").await.payload["event"], "e");
}

#[tokio::test]
async fn ten_thousand_topics_are_served_where_there_is_no_limit() {
    let none = ["TENANT_MAX_CHANNELS_PER_CLIENT", "TENANT_MAX_JOINS_PER_SECOND", "TENANT_MAX_EVENTS_PER_SECOND"];
    let server = Server::with(&none.map(|name| (name, "0"))).await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:9999", plain()).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    for number in 0..10_000 {
        socket.joined(&format!("realtime:{number}"), plain()).await;
    }
    goes_on(&mut other).await;
    socket.send("realtime:9999", "broadcast", json!({ "event": "e" })).await;
    assert_eq!(other.event("broadcast").await.payload["event"], "e");
    // Closing the socket leaves all its topics at once. The other socket stays in its topic.
    drop(socket);
    goes_on(&mut other).await;
}

#[tokio::test]
async fn a_flood_of_pings_is_answered_and_keeps_nobody_waiting() {
    let server = Server::start().await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room", plain()).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    for round in 0..50_u32 {
        for number in 0..200_u32 {
            socket.send_raw(Message::Ping((round * 200 + number).to_be_bytes().to_vec().into())).await;
        }
        for number in 0..200_u32 {
            let expected = (round * 200 + number).to_be_bytes().to_vec();
            assert_eq!(socket.frame().await, Message::Pong(expected.into()));
        }
        goes_on(&mut other).await;
    }
}

/// Sends as fast as it can without reading. Returns the number of frames until the server disconnects it.
async fn pour(server: &Server, other: &mut Live, frame: impl Fn() -> Message) -> usize {
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let mut sent = 0;
    while sent < 3_000_000 {
        for _ in 0..2_000 {
            // Sending blocks when the server no longer reads, and fails once it has closed the connection.
            match tokio::time::timeout(Duration::from_secs(20), socket.try_send(frame())).await {
                Ok(Ok(())) => sent += 1,
                Ok(Err(_)) => return sent,
                Err(_) => panic!("the server neither reads nor closes after {sent} frames"),
            }
        }
        goes_on(other).await;
    }
    panic!("the server keeps a client that never reads");
}

#[tokio::test]
async fn who_pings_and_never_reads_is_disconnected() {
    let server = Server::start().await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room", plain()).await;
    let sent = pour(&server, &mut other, || Message::Ping(vec![7; 125].into())).await;
    // The frames that wait for it are limited to 8 MiB, and to the buffers of the network.
    assert!(sent < 500_000, "{sent}");
}

#[tokio::test]
async fn who_sends_messages_for_no_channel_and_never_reads_is_disconnected() {
    let server = Server::start().await;
    let mut other = Live::open(&server.url, &server.anon_key).await;
    other.joined("realtime:room", plain()).await;
    let frame = json!([null, "1", "realtime:nothing", "broadcast", {}]).to_string();
    let sent = pour(&server, &mut other, || Message::text(frame.clone())).await;
    assert!(sent < 500_000, "{sent}");
}

#[tokio::test]
async fn a_thousand_messages_at_once_close_the_channel_and_not_the_socket() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "10")]).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    for _ in 0..1_000 {
        socket.send("realtime:room", "broadcast", json!({ "event": "e" })).await;
    }
    let said = socket.event("system").await.payload;
    assert_eq!(said["message"], "Too many messages per second");
    assert_eq!(socket.message().await.event, "phx_close");
    // The other messages are for a closed channel.
    let reply = socket.message().await;
    assert_eq!(reply.payload, json!({ "status": "error", "response": { "reason": "unmatched topic" } }));
    let reference = socket.send("phoenix", "heartbeat", Value::Null).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok");
}

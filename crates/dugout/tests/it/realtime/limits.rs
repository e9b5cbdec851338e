//! What one client can make the server keep or do.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::changes::{filtered, on, server, subscribed};
use super::{plain, private, token};
use crate::kit::{Calls, Live, Server};

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
    assert!(message.contains("ERROR 57014 (query_canceled) canceling statement due to statement timeout"), "{message}");
}

#[tokio::test]
async fn checks_of_subscriptions_leave_the_database_to_others() {
    let (server, admin) = server().await;
    let policy = "create policy readers on realtime.messages for select to anon using (true)";
    admin.batch_execute(policy).await.unwrap();
    // The stream is open, so that checks begin at once.
    let _open = subscribed(&server, None, json!([on("notes")])).await;
    let mut busy = Vec::new();
    for _ in 0..4 {
        let mut socket = Live::open(&server.url, &server.anon_key).await;
        socket.joined("realtime:x", json!({ "postgres_changes": expensive() })).await;
        busy.push(socket);
    }
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    for number in 0..20 {
        socket.joined(&format!("realtime:room{number}"), private()).await;
    }
}

const BATCH: &str = "/realtime/v1/api/broadcast";

fn batch(number: usize, private: bool) -> Value {
    let message = |index| json!({ "topic": format!("t{index}"), "event": "e", "payload": {}, "private": private });
    json!({ "messages": (0..number).map(message).collect::<Vec<_>>() })
}

#[tokio::test]
async fn a_batch_may_have_what_is_left_of_a_second() {
    let server = Server::start().await;
    let refused = server.post(BATCH, batch(101, false)).await.is(429);
    let reason = "Too many messages to broadcast, please reduce the batch size";
    assert_eq!(refused.json(), json!({ "message": reason }));
    server.post(BATCH, batch(100, false)).await.is(202);
    // The average of the minute is one a second by now.
    server.post(BATCH, batch(100, false)).await.is(429);
}

#[tokio::test]
async fn requests_that_are_refused_count_for_their_role() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "1")]).await;
    for _ in 0..60 {
        server.post(BATCH, batch(1, true)).await.is(202);
    }
    let one = format!("{BATCH}/t/events/e?private=true");
    server.post(&one, json!({})).await.is(403);
    // The database is asked no more.
    server.post(&one, json!({})).await.is(429);
    server.post(BATCH, batch(1, true)).await.is(429);
    server.post(BATCH, batch(1, false)).await.is(202);
    server.as_service(reqwest::Method::POST, &one).json(&json!({})).await.is(202);
}

/// Visitors may read in all rooms, and users write.
const READERS_AND_WRITERS: &str = "create policy readers on realtime.messages for select using (true);
    create policy writers on realtime.messages for insert to authenticated with check (true)";

#[tokio::test]
async fn refused_messages_take_nothing_from_others() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "1")]).await;
    server.database.connect().await.batch_execute(READERS_AND_WRITERS).await.unwrap();
    let mut visitor = Live::open(&server.url, &server.anon_key).await;
    visitor.joined("realtime:room", private()).await;
    for _ in 0..200 {
        visitor.send("realtime:room", "broadcast", json!({ "event": "refused" })).await;
    }
    visitor.is_silent().await;
    let mut writer = Live::open(&server.url, &token(&server, json!({}))).await;
    writer.joined("realtime:room", json!({ "private": true, "broadcast": { "ack": true } })).await;
    let reference = writer.send("realtime:room", "broadcast", json!({ "event": "allowed" })).await;
    assert_eq!(writer.reply(&reference).await["status"], "ok");
    assert_eq!(visitor.event("broadcast").await.payload["event"], "allowed");
}

#[tokio::test]
async fn a_socket_may_not_have_the_database_asked_without_end() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "1")]).await;
    server.database.connect().await.batch_execute(READERS_AND_WRITERS).await.unwrap();
    let mut visitor = Live::open(&server.url, &server.anon_key).await;
    visitor.joined("realtime:room", private()).await;
    // With each token it is asked again what the channel may write.
    for number in 0..=61 {
        let claims = json!({ "role": "anon", "n": number });
        visitor.send("realtime:room", "access_token", json!({ "access_token": token(&server, claims) })).await;
        visitor.send("realtime:room", "broadcast", json!({ "event": "refused" })).await;
    }
    assert_eq!(visitor.event("system").await.payload["message"], "Too many messages per second");
    assert_eq!(visitor.message().await.event, "phx_close");
}

#[tokio::test]
async fn a_policy_that_raises_is_not_asked_for_every_message() {
    let server = Server::with(&[("TENANT_MAX_EVENTS_PER_SECOND", "0")]).await;
    let admin = server.database.connect().await;
    // A sequence counts even what is rolled back.
    let policy = "create sequence public.asked; grant usage on sequence public.asked to anon;
        create policy readers on realtime.messages for select to anon using (true);
        create policy raises on realtime.messages for insert to anon with check (1 / (nextval('public.asked') * 0) > 0)";
    admin.batch_execute(policy).await.unwrap();
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", private()).await;
    for _ in 0..50 {
        socket.send("realtime:room", "broadcast", json!({ "event": "e" })).await;
    }
    socket.is_silent().await;
    let asked = admin.query_one("select last_value from public.asked", &[]).await.unwrap();
    // Once in two seconds, and this may take some on a slow machine.
    assert!(asked.get::<_, i64>(0) < 25, "{}", asked.get::<_, i64>(0));
}

//! Presence.

use serde_json::{Value, json};

use super::plain;
use crate::kit::{Live, Server};

fn present(key: &str) -> Value {
    json!({ "presence": { "key": key, "enabled": true } })
}

async fn track(socket: &mut Live, payload: Value) -> Value {
    let payload = json!({ "type": "presence", "event": "Track", "payload": payload });
    let reference = socket.send("realtime:room", "presence", payload).await;
    socket.reply(&reference).await
}

#[tokio::test]
async fn everybody_learns_who_comes_and_goes() {
    let server = Server::start().await;
    let mut watcher = Live::open(&server.url, &server.anon_key).await;
    watcher.joined("realtime:room", present("w")).await;
    let state = watcher.message().await;
    assert_eq!((state.event.as_str(), &state.payload), ("presence_state", &json!({})));
    assert_eq!(state.join_ref, json!("realtime:room"));

    let mut ana = Live::open(&server.url, &server.anon_key).await;
    ana.joined("realtime:room", present("ana")).await;
    assert_eq!(track(&mut ana, json!({ "n": 1 })).await, json!({ "status": "ok", "response": {} }));
    let first = watcher.event("presence_diff").await.payload;
    assert_eq!(first["joins"]["ana"]["metas"][0]["n"], 1);
    assert_eq!(first["leaves"], json!({}));
    let reference = first["joins"]["ana"]["metas"][0]["phx_ref"].clone();

    track(&mut ana, json!({ "n": 1 })).await;
    track(&mut ana, json!({ "n": 2 })).await;
    let second = watcher.event("presence_diff").await.payload;
    assert_eq!(
        second["leaves"]["ana"]["metas"],
        json!([{ "phx_ref": reference, "n": 1 }]),
        "the same again is no change"
    );
    assert_eq!(
        (&second["joins"]["ana"]["metas"][0]["n"], &second["joins"]["ana"]["metas"][0]["phx_ref_prev"]),
        (&json!(2), &reference)
    );

    // A second socket with the same key.
    let mut again = Live::open(&server.url, &server.anon_key).await;
    again.joined("realtime:room", present("ana")).await;
    let state = again.event("presence_state").await.payload;
    assert_eq!(state["ana"]["metas"].as_array().unwrap().len(), 1);
    track(&mut again, json!({ "n": 3 })).await;
    assert_eq!(watcher.event("presence_diff").await.payload["joins"]["ana"]["metas"][0]["n"], 3);
    // A lost connection is a leave, of that socket alone.
    drop(ana);
    let gone = watcher.event("presence_diff").await.payload;
    assert_eq!((&gone["joins"], &gone["leaves"]["ana"]["metas"][0]["n"]), (&json!({}), &json!(2)));
    let reference = again.send("realtime:room", "presence", json!({ "event": "untrack" })).await;
    assert_eq!(again.reply(&reference).await["status"], "ok");
    let gone = watcher.event("presence_diff").await.payload;
    assert_eq!(gone["leaves"]["ana"]["metas"][0]["n"], 3);
    watcher.is_silent().await;
}

#[tokio::test]
async fn odd_calls_are_answered_and_too_many_close_the_channel() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", plain()).await;
    let reply = track(&mut socket, json!("x")).await;
    let reason = json!({ "reason": "Presence track payload must be a map" });
    assert_eq!(reply, json!({ "status": "error", "response": reason }));
    let reference = socket.send("realtime:room", "presence", json!({})).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok", "no event");
    let reference = socket.send("realtime:room", "presence", json!({ "event": "x" })).await;
    assert_eq!(socket.reply(&reference).await["status"], "error", "an unknown event");
    // A channel that was joined without presence: track switches it on.
    for number in 0..4 {
        assert_eq!(track(&mut socket, json!({ "n": number })).await["status"], "ok");
    }
    socket.send("realtime:room", "presence", json!({ "event": "track" })).await;
    let said = socket.event("system").await;
    assert_eq!(said.payload["message"], "Client presence rate limit exceeded");
    assert_eq!(socket.message().await.event, "phx_close");
}

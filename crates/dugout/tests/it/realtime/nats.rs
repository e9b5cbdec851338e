//! Two servers on one database, and NATS between them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::instances::acquainted;
use super::plain;
use crate::kit::{Cable, Calls, Database, Live, Nats, Server, secrets};

/// Two servers with NATS. The second one is connected to it by a cable that the test can cut.
async fn pair(nats: &Nats) -> (Server, Server, Cable) {
    let cable = Cable::to(nats.address());
    let one = Server::with(&[("DUGOUT_NATS_URL", &nats.url())]).await;
    let url = nats.url().replace(&nats.address().to_string(), &cable.address.to_string());
    let two = Server::over(Database::shared(&one.database), &[("DUGOUT_NATS_URL", &url)]).await;
    for server in [&one, &two] {
        // The test fails if the password appears in the log.
        secrets::learn(&server.url, "nats-secret-4711");
    }
    (one, two, cable)
}

async fn say(socket: &mut Live, text: &str) {
    socket.send("realtime:room", "broadcast", json!({ "event": "e", "payload": text })).await;
}

/// Sends broadcasts until an observer sees that NATS carries them, or no longer does. The other socket must receive all of them.
async fn until_nats(carries: bool, nats: &Nats, from: &mut Live, to: &mut Live) {
    let mut observer = nats.observer();
    let begun = Instant::now();
    for number in 0.. {
        let text = format!("probe-{number}-");
        say(from, &text).await;
        assert_eq!(to.event("broadcast").await.payload["payload"], text);
        let heard = observer.heard_within(Duration::from_millis(100));
        if heard.contains(&text) == carries {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(40), "NATS carries it: {}", !carries);
    }
}

async fn sockets(one: &Server, two: &Server) -> (Live, Live) {
    let mut here = Live::open(&one.url, &one.anon_key).await;
    let mut there = Live::open(&two.url, &two.anon_key).await;
    here.joined("realtime:room", plain()).await;
    there.joined("realtime:room", json!({ "presence": { "key": "there", "enabled": true } })).await;
    there.event("presence_state").await;
    acquainted(&mut here, &mut there).await;
    (here, there)
}

async fn tracks(socket: &mut Live, n: i32) {
    let reference = socket.send("realtime:room", "presence", json!({ "event": "track", "payload": { "n": n } })).await;
    assert_eq!(socket.reply(&reference).await["status"], "ok");
}

/// The numbers in the presences that a new member of the room receives from a server.
async fn present(server: &Server) -> Vec<i64> {
    let mut late = Live::open(&server.url, &server.anon_key).await;
    late.joined("realtime:room", json!({ "presence": { "enabled": true } })).await;
    let state = late.event("presence_state").await.payload;
    let metas = state.as_object().unwrap().values().flat_map(|own| own["metas"].as_array().unwrap().clone());
    let mut numbers: Vec<i64> = metas.map(|meta| meta["n"].as_i64().unwrap()).collect();
    numbers.sort_unstable();
    numbers
}

async fn until_present(server: &Server, expected: &[i64]) {
    let begun = Instant::now();
    loop {
        let found = present(server).await;
        if found == expected {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{found:?} instead of {expected:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn nats_carries_broadcasts_and_presence() {
    let Some(nats) = Nats::start() else { return };
    let (one, two, _cable) = pair(&nats).await;
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &nats, &mut here, &mut there).await;
    // 1,500,000 bytes are more than NATS takes.
    for length in [1, 900_000, 1_500_000, 2] {
        say(&mut here, &"x".repeat(length)).await;
    }
    for length in [1, 900_000, 1_500_000, 2] {
        assert_eq!(there.event("broadcast").await.payload["payload"].as_str().unwrap().len(), length);
    }
    one.post("/realtime/v1/api/broadcast/room/events/e", json!({ "n": 1 })).await.is(202);
    assert_eq!(there.event("broadcast").await.payload["payload"], json!({ "n": 1 }));
    let mut observer = nats.observer();
    tracks(&mut here, 1).await;
    tracks(&mut there, 2).await;
    until_present(&one, &[1, 2]).await;
    until_present(&two, &[1, 2]).await;
    let heard = observer.heard_within(Duration::from_millis(300));
    assert!(heard.matches("Track").count() == 2, "{heard}");
    drop(two);
    until_present(&one, &[1]).await;
    assert!(observer.heard_within(Duration::from_millis(100)).contains("Bye"));
}

#[tokio::test]
async fn without_nats_the_database_does_it_and_nats_comes_back() {
    let Some(mut nats) = Nats::start() else { return };
    let (one, two, _cable) = pair(&nats).await;
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &nats, &mut here, &mut there).await;
    nats.kill();
    // Messages right after the kill may be lost.
    acquainted(&mut here, &mut there).await;
    for number in 0..20 {
        say(&mut here, &number.to_string()).await;
        assert_eq!(there.event("broadcast").await.payload["payload"], number.to_string());
    }
    tracks(&mut here, 1).await;
    until_present(&two, &[1]).await;
    nats.start_again();
    until_nats(true, &nats, &mut here, &mut there).await;
    tracks(&mut there, 2).await;
    until_present(&one, &[1, 2]).await;
}

#[tokio::test]
async fn one_server_that_loses_nats_is_told_by_the_database() {
    let Some(nats) = Nats::start() else { return };
    let (one, two, cable) = pair(&nats).await;
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &nats, &mut here, &mut there).await;
    tracks(&mut here, 1).await;
    until_present(&two, &[1]).await;
    cable.cut();
    tracks(&mut here, 2).await;
    tracks(&mut there, 3).await;
    until_present(&two, &[2, 3]).await;
    until_present(&one, &[2, 3]).await;
    until_nats(false, &nats, &mut here, &mut there).await;
    cable.mend();
    until_nats(true, &nats, &mut here, &mut there).await;
}

#[tokio::test]
async fn what_is_swallowed_is_made_up_for() {
    let Some(nats) = Nats::start() else { return };
    let (one, two, cable) = pair(&nats).await;
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &nats, &mut here, &mut there).await;
    // No connection is closed, so only missing greetings reveal that the network is down.
    cable.silence();
    tracks(&mut here, 1).await;
    tracks(&mut there, 2).await;
    until_present(&two, &[1, 2]).await;
    until_present(&one, &[1, 2]).await;
    cable.mend();
    until_nats(true, &nats, &mut here, &mut there).await;
    until_present(&two, &[1, 2]).await;
}

#[tokio::test]
async fn strange_messages_do_no_harm() {
    let Some(nats) = Nats::start() else { return };
    let (one, two, _cable) = pair(&nats).await;
    let mut observer = nats.observer();
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &nats, &mut here, &mut there).await;
    tracks(&mut here, 1).await;
    tracks(&mut there, 2).await;
    until_present(&one, &[1, 2]).await;
    let heard = observer.heard_within(Duration::from_millis(300));
    let subject = heard.split_whitespace().find(|word| word.starts_with("dugout.realtime.")).unwrap();
    let base = subject.rsplit_once('.').unwrap().0;

    let room = json!({ "topic": "realtime:room", "private": false, "member": 1 });
    let stranger = "0123456789abcdef0123456789abcdef";
    let posts = [
        json!("Nonsense"),
        json!({ "Hello": u64::MAX }),
        json!({ "Untrack": [0, room] }),
        json!({ "Track": [u64::MAX, { "at": room, "name": "", "reference": "", "meta": { "phx_ref": 1 } }] }),
        json!({ "Stored": "00000000-0000-0000-0000-000000000000" }),
        json!({ "Broadcast": { "at": room, "event": "e", "text": "}", "user": null } }),
        json!({ "Broadcast": { "at": room, "event": "e", "text": null, "user": null } }),
        json!({ "Broadcast": { "at": room, "event": "e", "text": null, "user": { "meta": "{", "json": true, "payload": "!" } } }),
        json!("Bye"),
    ];
    for from in ["", "x", stranger] {
        for post in &posts {
            let message = json!({ "from": from, "on_bus": 1, "post": post }).to_string();
            observer.publish(&format!("{base}.{stranger}"), message.as_bytes());
            let message = json!({ "from": from, "on_bus": true, "post": post }).to_string();
            observer.publish(&format!("{base}.x"), message.as_bytes());
        }
    }
    let deep = "[".repeat(500_000);
    for bytes in [&b""[..], b"\0\xff\xfe", b"null", deep.as_bytes()] {
        observer.publish(&format!("{base}.x"), bytes);
    }
    // Thousands of instances that do not exist.
    for number in 0..2_000 {
        let message = json!({ "from": format!("{number:032x}"), "post": "Ask" }).to_string();
        observer.publish(&format!("{base}.x"), message.as_bytes());
    }
    say(&mut here, "still here").await;
    loop {
        let heard = there.event("broadcast").await.payload;
        if heard["payload"] == "still here" {
            break;
        }
        assert_eq!(heard["payload"], Value::Null, "a stranger's message reached a client: {heard}");
    }
    until_present(&one, &[1, 2]).await;
    until_present(&two, &[1, 2]).await;
}

#[tokio::test]
async fn the_death_of_one_of_two_clustered_servers_stops_no_broadcast() {
    let Some([mut first, mut second]) = Nats::cluster() else { return };
    let urls = format!("{},{}", first.url(), second.url());
    let one = Server::with(&[("DUGOUT_NATS_URL", &urls)]).await;
    let two = Server::over(Database::shared(&one.database), &[("DUGOUT_NATS_URL", &urls)]).await;
    for server in [&one, &two] {
        secrets::learn(&server.url, "nats-secret-4711");
    }
    let (mut here, mut there) = sockets(&one, &two).await;
    until_nats(true, &first, &mut here, &mut there).await;
    until_nats(true, &second, &mut here, &mut there).await;
    // Whichever of them the servers use: each of them dies once. No broadcast is missing, in either direction.
    first.kill();
    until_nats(true, &second, &mut here, &mut there).await;
    until_nats(true, &second, &mut there, &mut here).await;
    first.start_again();
    until_nats(true, &first, &mut here, &mut there).await;
    second.kill();
    until_nats(true, &first, &mut here, &mut there).await;
    until_nats(true, &first, &mut there, &mut here).await;
}

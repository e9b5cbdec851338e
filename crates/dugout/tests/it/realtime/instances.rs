//! Two servers on one database.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::plain;
use crate::kit::{Account, Cable, Calls, Database, Launch, Live, Server, connect, free_port};

/// A second server over the database of the first, which stays that one's.
struct Pair {
    one: Server,
    two: Server,
}

async fn pair() -> Pair {
    let one = Server::start().await;
    let two = Server::over(Database::shared(&one.database), &[]).await;
    Pair { one, two }
}

/// Waits until both servers know of each other: until a broadcast arrives.
pub(super) async fn acquainted(sender: &mut Live, receiver: &mut Live) {
    loop {
        sender.send("realtime:room", "broadcast", json!({ "event": "are you there" })).await;
        if receiver.heard_within(Duration::from_millis(200)).await.is_some() {
            break;
        }
    }
    while receiver.heard_within(Duration::from_millis(300)).await.is_some() {}
}

#[tokio::test]
async fn broadcasts_and_presence_reach_the_other_server() {
    let Pair { one, two } = pair().await;
    let mut here = Live::open(&one.url, &one.anon_key).await;
    let mut there = Live::open(&two.url, &two.anon_key).await;
    here.joined("realtime:room", plain()).await;
    let config = json!({ "presence": { "key": "there", "enabled": true } });
    there.joined("realtime:room", config).await;
    there.event("presence_state").await;
    acquainted(&mut here, &mut there).await;

    // Longer than NOTIFY takes, and in order with what is shorter.
    for length in [1, 20_000, 2] {
        here.send("realtime:room", "broadcast", json!({ "event": "e", "payload": "x".repeat(length) })).await;
    }
    for length in [1, 20_000, 2] {
        assert_eq!(there.message().await.payload["payload"].as_str().unwrap().len(), length);
    }
    one.post("/realtime/v1/api/broadcast/room/events/e", json!({ "n": 1 })).await.is(202);
    assert_eq!(there.message().await.payload["payload"], json!({ "n": 1 }));
    here.event("broadcast").await;

    let track = |n: i32| json!({ "event": "track", "payload": { "n": n } });
    let reference = here.send("realtime:room", "presence", track(1)).await;
    here.reply(&reference).await;
    let came = there.event("presence_diff").await.payload;
    let metas = came["joins"].as_object().unwrap().values().next().unwrap()["metas"].clone();
    assert_eq!(metas[0]["n"], 1);
    // A new member learns of both.
    let reference = there.send("realtime:room", "presence", track(2)).await;
    there.reply(&reference).await;
    here.event("presence_diff").await;
    let mut late = Live::open(&one.url, &one.anon_key).await;
    late.joined("realtime:room", json!({ "presence": { "enabled": true } })).await;
    let state = late.event("presence_state").await.payload;
    let numbers: Vec<&Value> = state.as_object().unwrap().values().map(|own| &own["metas"][0]["n"]).collect();
    assert!(numbers.len() == 2 && numbers.contains(&&json!(1)) && state["there"]["metas"][0]["n"] == 2, "{state}");
    // The socket is lost: everybody learns of it.
    drop(there);
    let gone = late.event("presence_diff").await.payload;
    assert_eq!(gone["leaves"]["there"]["metas"][0]["n"], 2);
    drop(two);
}

#[tokio::test]
async fn the_presences_of_a_server_that_stops_are_gone() {
    let Pair { one, two } = pair().await;
    let mut here = Live::open(&one.url, &one.anon_key).await;
    let mut there = Live::open(&two.url, &two.anon_key).await;
    here.joined("realtime:room", plain()).await;
    there.joined("realtime:room", plain()).await;
    acquainted(&mut there, &mut here).await;
    let reference = there.send("realtime:room", "presence", json!({ "event": "track", "payload": { "n": 1 } })).await;
    there.reply(&reference).await;
    here.event("presence_diff").await;
    drop(two);
    let gone = here.event("presence_diff").await.payload;
    assert_eq!(gone["leaves"].as_object().unwrap().len(), 1, "{gone}");
}

#[tokio::test]
async fn sql_reaches_both_servers() {
    let Pair { one, two } = pair().await;
    let config = json!({ "broadcast": { "replication_ready": true } });
    let mut sockets = [Live::open(&one.url, &one.anon_key).await, Live::open(&two.url, &two.anon_key).await];
    for socket in &mut sockets {
        socket.joined("realtime:room", config.clone()).await;
        socket.event("system").await;
    }
    one.database.connect().await.batch_execute("select realtime.send('{}', 'e', 'room', false)").await.unwrap();
    for socket in &mut sockets {
        assert_eq!(socket.message().await.payload["event"], "e");
        socket.is_silent().await;
    }
    drop((sockets, two));
}

#[tokio::test]
async fn it_runs_alone_in_the_place_of_its_container() {
    let database = Database::cloned().await;
    let target = database.target();
    let socket = target.driver_config();
    let tokio_postgres::config::Host::Unix(folder) = &socket.get_hosts()[0] else { panic!("no socket") };
    let secret = "super-secret-jwt-token-with-at-least-32-characters-long";
    let folder = folder.to_str().unwrap();
    let variables = [
        ("API_JWT_SECRET", secret),
        ("DB_HOST", folder),
        ("DB_USER", "supabase_admin"),
        ("DB_NAME", target.database().unwrap()),
        ("PORT", "0"),
    ];
    let variables = variables.map(|(name, text)| (name.to_owned(), text.to_owned())).into_iter().collect();
    let manifest = *server::registry::SERVICES.iter().find(|service| service.name == "realtime").unwrap();
    let config = (manifest.alone.unwrap().configure)(variables).unwrap_or_else(|problems| panic!("{problems:?}"));
    let alone = server::standalone::start(manifest, config).await.unwrap();
    let claims = json!({ "role": "anon", "exp": chrono::Utc::now().timestamp() + 600 });
    let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
    let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
    let mut live = Live::at(&alone.url, "/socket/websocket", &format!("?vsn=2.0.0&apikey={token}")).await.unwrap();
    live.joined("realtime:room", json!({ "broadcast": { "replication_ready": true } })).await;
    live.event("system").await;
    let admin = database.connect().await;
    admin.batch_execute("select realtime.send('{}', 'e', 'room', false)").await.unwrap();
    live.event("broadcast").await;
    alone.stop().await;
    assert_eq!(live.close_code().await, 1012);
}

/// Twice the time after which an instance counts as gone, and more on a slow machine.
const PARTITION: Duration = Duration::from_secs(120);

#[tokio::test]
async fn presence_heals_after_a_partition() {
    let one = Server::start().await;
    let (cable, url) = Cable::to_database(&one.database);
    let two = Server::over(Database::shared(&one.database), &[("DATABASE_URL", &url)]).await;
    let mut here = Live::open(&one.url, &one.anon_key).await;
    let mut there = Live::open(&two.url, &two.anon_key).await;
    here.joined("realtime:room", plain()).await;
    there.joined("realtime:room", json!({ "presence": { "key": "there", "enabled": true } })).await;
    acquainted(&mut here, &mut there).await;
    let track = |n: i32| json!({ "event": "track", "payload": { "n": n } });
    for (socket, n) in [(&mut here, 1), (&mut there, 2)] {
        let reference = socket.send("realtime:room", "presence", track(n)).await;
        assert_eq!(socket.reply(&reference).await["status"], "ok");
    }
    let mut came = here.event("presence_diff").await.payload["joins"].to_string();
    while !came.contains("\"n\":2") {
        came = here.event("presence_diff").await.payload["joins"].to_string();
    }
    // The second server and the database cannot reach each other: after a while each instance counts the other as gone.
    cable.silence();
    let left = here.heard_event("presence_diff", PARTITION).await.payload["leaves"].to_string();
    assert!(left.contains("\"n\":2"), "{left}");
    let reference = there.send("realtime:room", "presence", track(3)).await;
    assert_eq!(there.reply(&reference).await["status"], "ok", "presence needs no database");
    cable.mend();
    let back = here.heard_event("presence_diff", PARTITION).await.payload["joins"].to_string();
    assert!(back.contains("\"n\":3"), "{back}");
    // The second server knows the first one's presence again, too.
    let begun = Instant::now();
    loop {
        let mut late = Live::open(&two.url, &two.anon_key).await;
        late.joined("realtime:room", json!({ "presence": { "enabled": true } })).await;
        let state = late.event("presence_state").await.payload.to_string();
        if state.contains("\"n\":1") && state.contains("\"n\":3") {
            break;
        }
        assert!(begun.elapsed() < PARTITION, "{state}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn the_death_of_an_instance_interrupts_no_other() {
    let port = free_port();
    // The app's own config.toml allows private channels only.
    let open = ("DUGOUT_REALTIME_PRIVATE_ONLY", "false");
    let owner = Launch::new(Account::Ours).arg("--db-port", port.to_string()).env(open.0, open.1);
    let dugout = owner.start().await;
    let url = owner.status("DB_URL");
    let admin = connect(&pg::Target::parse(&url).unwrap()).await;
    let tables = "create table public.notes (id int primary key); grant select on public.notes to anon;
        alter publication supabase_realtime add table public.notes";
    admin.batch_execute(tables).await.unwrap();
    // The second server uses the first one's cluster. It is killed in the middle, and the first one must deliver every change.
    let superuser = pg::Target::unix(&owner.data_dir().join("run"), port, "supabase_admin", "postgres").url();
    let other = Launch::new(Account::Ours).arg("--db-url", &superuser).env(open.0, open.1);
    let mut second = other.start().await;
    let config = json!({ "postgres_changes": [{ "event": "*", "schema": "public", "table": "notes" }] });
    let mut here = Live::open(&owner.url(), &owner.status("ANON_KEY")).await;
    let mut there = Live::open(&other.url(), &other.status("ANON_KEY")).await;
    for socket in [&mut here, &mut there] {
        let config = json!({ "private": false, "postgres_changes": config["postgres_changes"] });
        socket.joined("realtime:room", config).await;
        assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    }
    for number in 0..100 {
        if number == 50 {
            second.kill().await;
        }
        admin.execute("insert into public.notes values ($1)", &[&number]).await.unwrap();
        let change = here.heard_event("postgres_changes", Duration::from_secs(20)).await;
        assert_eq!(change.payload["data"]["record"]["id"], number);
    }
    let slots = "select count(*) from pg_replication_slots where active";
    while admin.query_one(slots, &[]).await.unwrap().get::<_, i64>(0) > 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop((dugout, there));
}

/// Changes that are written while a server dies, one every few milliseconds.
const WRITTEN: i32 = 400;

#[tokio::test]
async fn the_death_of_the_first_reader_of_an_outside_cluster_loses_nothing() {
    let database = Database::cloned().await;
    let launch = || {
        let launch = Launch::new(Account::Ours).arg("--db-url", database.target().url());
        launch.env("DUGOUT_REALTIME_PRIVATE_ONLY", "false")
    };
    let (first, second) = (launch(), launch());
    let mut dying = first.start().await;
    let admin = database.connect().await;
    let tables = "create table public.notes (id int primary key); grant select on public.notes to anon;
        alter publication supabase_realtime add table public.notes";
    admin.batch_execute(tables).await.unwrap();
    let config = json!({ "postgres_changes": [{ "event": "*", "schema": "public", "table": "notes" }] });
    let mut sockets = Vec::new();
    let mut lasting = None;
    for launch in [&first, &second] {
        if lasting.is_none() && !sockets.is_empty() {
            // The first server has read for a while when the second one comes.
            lasting = Some(second.start().await);
        }
        let mut socket = Live::open(&launch.url(), &launch.status("ANON_KEY")).await;
        socket.joined("realtime:room", config.clone()).await;
        assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
        sockets.push(socket);
    }
    let [_, there] = &mut sockets[..] else { panic!("two sockets") };
    let writer = tokio::spawn(async move {
        for number in 0..WRITTEN {
            admin.execute("insert into public.notes values ($1)", &[&number]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        admin
    });
    for number in 0..WRITTEN {
        if number == WRITTEN / 4 {
            dying.kill().await;
        }
        let begun = Instant::now();
        let heard = there.message().await;
        assert_eq!(
            (heard.event.as_str(), &heard.payload["data"]["record"]["id"]),
            ("postgres_changes", &json!(number))
        );
        assert!(begun.elapsed() < Duration::from_secs(5), "change {number} took {:?}", begun.elapsed());
    }
    let admin = writer.await.unwrap();
    admin.execute("insert into public.notes values ($1)", &[&WRITTEN]).await.unwrap();
    let last = there.heard_event("postgres_changes", Duration::from_secs(5)).await;
    assert_eq!(last.payload["data"]["record"]["id"], WRITTEN);
    drop((sockets, lasting));
}

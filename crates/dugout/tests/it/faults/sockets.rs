//! Sockets that come and go for a long time must not leak memory, files or connections. `make soak` runs it for an hour with
//! 2,000 sockets.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pg::Target;
use serde_json::{Value, json};
use tokio_postgres::Client;

use crate::kit::{Account, Launch, Live, Process, connect, free_port, long};

const TABLES: &str = "
    create table public.notes (id bigint generated always as identity primary key, owner uuid, body text);
    alter table public.notes enable row level security;
    create policy own on public.notes for select to authenticated using (owner is null or owner = (select auth.uid()));
    grant select on public.notes to authenticated;
    alter publication supabase_realtime add table public.notes;
    create policy readers on realtime.messages for select to authenticated using (true);
    create policy writers on realtime.messages for insert to authenticated with check (true)";

/// The number of sockets in a room.
const ROOM: u64 = 20;

/// Time between two actions of a socket.
const PAUSE: Duration = Duration::from_secs(2);

/// The resources that the server uses.
#[derive(Clone, Copy)]
struct Sample {
    /// In kB.
    memory: usize,
    descriptors: usize,
    /// Connections to PostgreSQL.
    connections: usize,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { memory, descriptors, connections } = self;
        write!(f, "{} MB, {descriptors} descriptors, {connections} connections", memory / 1024)
    }
}

async fn sample(dugout: &Process, admin: &Client) -> Sample {
    let status = std::fs::read_to_string(format!("/proc/{}/status", dugout.pid())).unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let connections = admin.query_one("select count(*) from pg_stat_activity", &[]).await.unwrap();
    Sample {
        memory: memory.trim_end_matches("kB").trim().parse().unwrap(),
        descriptors: std::fs::read_dir(format!("/proc/{}/fd", dugout.pid())).unwrap().count(),
        connections: usize::try_from(connections.get::<_, i64>(0)).unwrap(),
    }
}

/// The median of each number.
fn median(samples: &[Sample]) -> Sample {
    let middle = |of: fn(&Sample) -> usize| {
        let mut all: Vec<usize> = samples.iter().map(of).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    Sample {
        memory: middle(|own| own.memory),
        descriptors: middle(|own| own.descriptors),
        connections: middle(|own| own.connections),
    }
}

/// State that all sockets share.
struct Shared {
    url: String,
    key: jsonwebtoken::EncodingKey,
    admin: Client,
    is_over: AtomicBool,
    /// Sockets that have joined their room.
    there: AtomicU64,
    done: AtomicU64,
}

impl Shared {
    fn token(&self, sub: uuid::Uuid) -> String {
        let claims = json!({ "role": "authenticated", "sub": sub, "n": self.done.load(Ordering::Relaxed),
                             "exp": chrono::Utc::now().timestamp() + 3600 });
        jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &self.key).unwrap()
    }
}

/// A socket in its room.
async fn arrived(shared: &Shared, number: u64, sub: uuid::Uuid) -> (Live, String) {
    let mut socket = Live::open(&shared.url, &shared.token(sub)).await;
    let room = format!("realtime:room{}", number / ROOM);
    let changes = json!([{ "event": "*", "schema": "public", "table": "notes" }]);
    let config = json!({ "private": number.is_multiple_of(2), "postgres_changes": changes, "presence": { "enabled": true },
                         "broadcast": { "ack": true } });
    socket.joined(&room, config).await;
    (socket, room)
}

/// Does one thing after the other until it is over.
async fn live(shared: Arc<Shared>, number: u64) {
    let sub = uuid::Uuid::new_v4();
    let (mut socket, mut room) = arrived(&shared, number, sub).await;
    shared.there.fetch_add(1, Ordering::Relaxed);
    let mut step = number;
    while !shared.is_over.load(Ordering::Relaxed) {
        let until = Instant::now() + PAUSE;
        step = step.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match (step >> 33) % 7 {
            0 => drop(socket.send(&room, "broadcast", json!({ "event": "e", "payload": "x".repeat(150) })).await),
            1 => drop(socket.send(&room, "presence", json!({ "event": "track", "payload": { "step": step } })).await),
            2 => drop(socket.send(&room, "presence", json!({ "event": "untrack" })).await),
            3 => drop(socket.send(&room, "access_token", json!({ "access_token": shared.token(sub) })).await),
            4 => {
                let other = format!("realtime:own{number}-{step}");
                socket.joined(&other, json!({ "private": true })).await;
                socket.send(&other, "phx_leave", Value::Null).await;
            }
            5 => {
                let insert = "insert into public.notes (owner, body) values ($1, repeat('x', 100))";
                shared.admin.execute(insert, &[&sub]).await.unwrap();
            }
            _ => {
                drop(socket);
                (socket, room) = arrived(&shared, number, sub).await;
            }
        }
        shared.done.fetch_add(1, Ordering::Relaxed);
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            if let Some(heard) = socket.heard_within(left).await {
                // Only the end of the room's own channel is an error; a leave also ends its channel.
                assert!(heard.event != "phx_close" || heard.topic != room, "{:?}", heard.payload);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_that_come_and_go_leave_nothing_behind() {
    let (sockets, time) = (long("DUGOUT_TEST_SOCKETS", 60), long("DUGOUT_TEST_SOAK", 16));
    let port = free_port();
    let mut launch = Launch::new(Account::Ours).arg("--db-port", port.to_string());
    for limit in ["CONCURRENT_USERS", "EVENTS_PER_SECOND", "JOINS_PER_SECOND"] {
        launch = launch.env(&format!("TENANT_MAX_{limit}"), "0");
    }
    let launch = launch.env("CLIENT_PRESENCE_MAX_CALLS", "0").env("DUGOUT_REALTIME_PRIVATE_ONLY", "false");
    let dugout = launch.start().await;
    let target = Target::unix(&launch.data_dir().join("run"), port, "supabase_admin", "postgres");
    let admin = connect(&target).await;
    admin.batch_execute(TABLES).await.unwrap();
    let secret = launch.status("JWT_SECRET");
    let shared = Arc::new(Shared {
        url: launch.url(),
        key: jsonwebtoken::EncodingKey::from_secret(secret.as_bytes()),
        admin: connect(&target).await,
        is_over: AtomicBool::new(false),
        there: AtomicU64::new(0),
        done: AtomicU64::new(0),
    });
    let lives: Vec<_> = (0..sockets).map(|number| tokio::spawn(live(Arc::clone(&shared), number))).collect();
    while shared.there.load(Ordering::Relaxed) < sockets {
        assert!(lives.iter().all(|life| !life.is_finished()), "a socket did not arrive");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Warm up first: afterwards caches and pools are full.
    tokio::time::sleep(Duration::from_secs(time / 4)).await;
    let (begun, mut samples) = (Instant::now(), Vec::new());
    while begun.elapsed() < Duration::from_secs(time * 3 / 4) || samples.len() < 6 {
        samples.push(sample(&dugout, &admin).await);
        tokio::time::sleep(Duration::from_millis(200.max(time * 4))).await;
    }
    shared.is_over.store(true, Ordering::Relaxed);
    for life in lives {
        life.await.expect("a socket was served to the end");
    }
    let third = samples.len() / 3;
    let (early, late) = (median(&samples[..third]), median(&samples[samples.len() - third..]));
    println!("{sockets} sockets, {time} s, {} actions: {early}; then {late}", shared.done.load(Ordering::Relaxed));
    assert!(late.memory < early.memory + early.memory / 10 + 16 * 1024, "memory: {early}; {late}");
    let spread = usize::try_from(sockets).unwrap() / 10 + 20;
    assert!(late.descriptors < early.descriptors + spread, "{early}; {late}");
    assert!(late.connections <= early.connections + 2, "{early}; {late}");
    let slots = admin.query_one("select count(*) from pg_replication_slots", &[]).await.unwrap();
    assert_eq!(slots.get::<_, i64>(0), 1, "one instance has one slot");
}

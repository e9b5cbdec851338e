//! Open sockets of realtime when PostgreSQL dies, and when the server stops.

use std::time::{Duration, Instant};

use pg::Target;
use rustix::process::{Signal, kill_process};
use serde_json::json;

use super::kill::{cluster_folder, postmaster};
use crate::kit::{Account, Launch, Live, Process, connect, free_port};

/// How long a restart may take on a machine that runs many tests.
const PATIENCE: Duration = Duration::from_secs(60);

async fn launched() -> (Launch, Process, Target) {
    let port = free_port();
    let launch = Launch::new(Account::Ours).arg("--db-port", port.to_string());
    let launch = launch.env("DUGOUT_REALTIME_PRIVATE_ONLY", "false");
    let dugout = launch.start().await;
    let target = Target::unix(&launch.data_dir().join("run"), port, "supabase_admin", "postgres");
    let tables = "create table public.notes (id int primary key); grant select on public.notes to anon;
        alter publication supabase_realtime add table public.notes";
    connect(&target).await.batch_execute(tables).await.unwrap();
    (launch, dugout, target)
}

async fn subscribed(launch: &Launch) -> Live {
    let mut socket = Live::open(&launch.url(), &launch.status("ANON_KEY")).await;
    let config = json!({ "postgres_changes": [{ "event": "*", "schema": "public", "table": "notes" }] });
    socket.joined("realtime:room", config).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    socket
}

#[tokio::test]
async fn after_a_killed_postgresql_a_socket_is_told_and_hears_changes_again() {
    let (launch, dugout, target) = launched().await;
    let mut socket = subscribed(&launch).await;
    connect(&target).await.batch_execute("insert into public.notes values (1)").await.unwrap();
    assert_eq!(socket.event("postgres_changes").await.payload["data"]["record"]["id"], 1);

    kill_process(postmaster(&cluster_folder(&launch)), Signal::KILL).unwrap();
    let said = socket.heard_event("system", PATIENCE).await.payload;
    assert_eq!((&said["status"], &said["extension"]), (&json!("error"), &json!("postgres_changes")), "{said}");
    let begun = Instant::now();
    while socket.heard_event("system", PATIENCE).await.payload["status"] != "ok" {
        assert!(begun.elapsed() < PATIENCE, "the stream is not open again");
    }
    connect(&target).await.batch_execute("insert into public.notes values (2)").await.unwrap();
    assert_eq!(socket.event("postgres_changes").await.payload["data"]["record"]["id"], 2);
    drop(dugout);
}

#[tokio::test]
async fn at_a_stop_sockets_are_closed_in_time() {
    let (launch, mut dugout, _) = launched().await;
    let mut sockets = Vec::new();
    for _ in 0..20 {
        sockets.push(subscribed(&launch).await);
    }
    let begun = Instant::now();
    dugout.signal(Signal::TERM);
    for socket in &mut sockets {
        let said = socket.heard_event("system", PATIENCE).await.payload;
        let expected = json!({ "extension": "system", "status": "ok", "message": "Server requested disconnect" });
        assert_eq!(said, expected);
        assert_eq!(socket.close_code().await, 1012);
    }
    // Far below the time that requests in flight get.
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    let status = dugout.ended(Duration::from_secs(20)).await;
    assert!(status.success(), "{status}: {}", dugout.log());
}

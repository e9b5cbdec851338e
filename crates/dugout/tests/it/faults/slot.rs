//! The stream of changes when PostgreSQL gives up its slot: nobody is left believing that all was told.

use std::time::{Duration, Instant};

use pg::Target;
use rustix::process::Signal;
use serde_json::json;
use tokio_postgres::Client;
use tokio_postgres::types::FromSql;

use crate::kit::{Account, Launch, Live, connect, free_port};

const TABLES: &str = "
    create table public.notes (id int primary key);
    create table public.filling (line text);
    grant select on public.notes to anon;
    alter publication supabase_realtime add table public.notes;
    create policy readers on realtime.messages for select to anon using (true)";

const MB: i64 = 1024 * 1024;

/// How many slots of realtime there are, and whether each can still be read.
async fn slots(admin: &Client) -> Vec<String> {
    let rows = admin.query("select wal_status from pg_replication_slots", &[]).await.unwrap();
    rows.iter().map(|row| row.get::<_, Option<String>>(0).unwrap_or_default()).collect()
}

async fn value<T: for<'r> FromSql<'r>>(admin: &Client, sql: &str) -> T {
    admin.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn a_consumer_that_stood_still_past_the_kept_wal_is_told_and_goes_on() {
    let port = free_port();
    let launch = Launch::new(Account::Ours).arg("--db-port", port.to_string());
    let dugout = launch.start().await;
    let admin = connect(&Target::unix(&launch.data_dir().join("run"), port, "supabase_admin", "postgres")).await;
    admin.batch_execute(TABLES).await.unwrap();
    // PostgreSQL itself keeps as much as `max_wal_size` for the next checkpoints.
    for setting in ["max_slot_wal_keep_size = '64MB'", "max_wal_size = '64MB'", "min_wal_size = '32MB'"] {
        admin.batch_execute(&format!("alter system set {setting}")).await.unwrap();
    }
    admin.batch_execute("select pg_reload_conf()").await.unwrap();
    let mut socket = Live::open(&launch.url(), &launch.status("ANON_KEY")).await;
    let config =
        json!({ "postgres_changes": [{ "event": "*", "schema": "public", "table": "notes" }], "private": true });
    socket.joined("realtime:room", config).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    admin.batch_execute("insert into public.notes values (1)").await.unwrap();
    assert_eq!(socket.event("postgres_changes").await.payload["data"]["record"]["id"], 1);

    dugout.signal(Signal::STOP);
    let before = slots(&admin).await;
    assert_eq!(before.len(), 1, "{before:?}");
    admin
        .batch_execute("insert into public.notes values (2); select realtime.send('{\"n\": 1}', 'e', 'room')")
        .await
        .unwrap();
    // 200 MB in a table that nobody wants to know of. The slot is given up, and the folder of the log does not grow.
    let begun = Instant::now();
    let write = "insert into public.filling select repeat(md5(n::text), 60) from generate_series(1, 20000) n";
    let start: String = value(&admin, "select pg_current_wal_lsn()::text").await;
    let written = format!("select pg_wal_lsn_diff(pg_current_wal_lsn(), '{start}')::bigint");
    while value::<i64>(&admin, &written).await < 200 * MB || slots(&admin).await.iter().any(|status| status != "lost") {
        assert!(begun.elapsed() < Duration::from_secs(60), "the slot is kept");
        admin.batch_execute(write).await.unwrap();
        admin.batch_execute("select pg_switch_wal()").await.unwrap();
        admin.batch_execute("checkpoint").await.unwrap();
        let kept: i64 = value(&admin, "select sum(size)::bigint from pg_ls_waldir()").await;
        assert!(kept < 176 * MB, "pg_wal holds {} MB", kept / MB);
    }
    dugout.signal(Signal::CONT);

    // What happened meanwhile is either told, or said to be missing.
    let mut heard = Vec::new();
    loop {
        let message = socket.message().await;
        match message.event.as_str() {
            "system" => heard.push(message.payload["status"].as_str().unwrap().to_owned()),
            "postgres_changes" => heard.push(message.payload["data"]["record"]["id"].to_string()),
            "broadcast" => heard.push(format!("broadcast {}", message.payload["payload"]["n"])),
            other => panic!("{other}"),
        }
        if heard.contains(&"ok".to_owned()) && heard.contains(&"broadcast 1".to_owned()) {
            break;
        }
    }
    let error = heard.iter().position(|own| own == "error");
    let again = heard.iter().position(|own| own == "ok");
    assert!(error.is_some() && error < again, "{heard:?}");
    admin
        .batch_execute("insert into public.notes values (3); select realtime.send('{\"n\": 2}', 'e', 'room')")
        .await
        .unwrap();
    assert_eq!(socket.event("postgres_changes").await.payload["data"]["record"]["id"], 3);
    let slots = slots(&admin).await;
    assert!(slots.len() == 1 && slots[0] != "lost", "{slots:?}");
}

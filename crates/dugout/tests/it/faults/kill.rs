//! Any process may be killed at any moment; start-up is the recovery procedure.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::kit::{Calls, Launch, PASSWORD, Process, accounts, long};

/// The folder of the embedded cluster, recognised by its file `PG_VERSION`.
pub fn cluster_folder(launch: &Launch) -> PathBuf {
    let folders = std::fs::read_dir(launch.data_dir()).unwrap().flatten().map(|entry| entry.path());
    folders.into_iter().find(|folder| folder.join("PG_VERSION").exists()).expect("there is a cluster")
}

/// The first line of `postmaster.pid`.
pub fn postmaster(cluster: &Path) -> Pid {
    let text = std::fs::read_to_string(cluster.join("postmaster.pid")).expect("PostgreSQL runs");
    Pid::from_raw(text.lines().next().unwrap().trim().parse().unwrap()).unwrap()
}

async fn sign_up(dugout: &Process, email: &str) -> String {
    let body = json!({ "email": email, "password": PASSWORD });
    let session = dugout.post("/auth/v1/signup", body).await.is(200).json();
    session["refresh_token"].as_str().unwrap().to_owned()
}

async fn can_sign_in(dugout: &Process, email: &str) {
    let body = json!({ "email": email, "password": PASSWORD });
    dugout.post("/auth/v1/token?grant_type=password", body).await.is(200);
}

#[tokio::test]
async fn a_killed_server_restarts_with_all_data() {
    for account in accounts() {
        let launch = Launch::prepared(account).await.env("DUGOUT_DB_DURABILITY", "full");
        let mut dugout = launch.start().await;
        let token = sign_up(&dugout, "ana@x.test").await;
        dugout.kill().await;
        let begun = Instant::now();
        let dugout = launch.start().await;
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        can_sign_in(&dugout, "ana@x.test").await;
        let body = json!({ "refresh_token": token });
        dugout.post("/auth/v1/token?grant_type=refresh_token", body).await.is(200);
    }
}

#[tokio::test]
async fn server_and_postgresql_killed_together_restart() {
    for account in accounts() {
        let launch = Launch::prepared(account).await.env("DUGOUT_DB_DURABILITY", "full");
        let mut dugout = launch.start().await;
        sign_up(&dugout, "ana@x.test").await;
        let cluster = cluster_folder(&launch);
        let pid = postmaster(&cluster);
        dugout.signal(Signal::STOP);
        kill_process(pid, Signal::KILL).unwrap();
        dugout.kill().await;
        assert!(cluster.join("postmaster.pid").exists(), "the stale file is what this test is about");
        let dugout = launch.start().await;
        can_sign_in(&dugout, "ana@x.test").await;
    }
}

#[tokio::test]
async fn acknowledged_writes_survive_kills_under_load() {
    let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
    let mut dugout = launch.start().await;
    let kills = long("DUGOUT_TEST_KILLS", 1);
    let mut count = 0;
    for kill in 0..kills {
        let under_load = Arc::new(Semaphore::new(0));
        let writers: Vec<_> = (0..4)
            .map(|writer| tokio::spawn(sign_up_until_killed(launch.url(), kill, writer, under_load.clone())))
            .collect();
        // A busy machine takes long for a sign-up, so the load is counted, not timed.
        let four = tokio::time::timeout(Duration::from_secs(60), under_load.acquire_many(4)).await;
        drop(four.expect("four sign-ups within a minute").unwrap());
        // Every time at another moment.
        tokio::time::sleep(Duration::from_millis(kill * 7_919 % 3_000)).await;
        dugout.kill().await;
        dugout = launch.start().await;
        for writer in writers {
            for email in writer.await.unwrap() {
                can_sign_in(&dugout, &email).await;
                count += 1;
            }
        }
    }
    println!("{count} writes were acknowledged before {kills} kills");
    assert!(count > 3 * kills, "only {count} writes were acknowledged before {kills} kills");
}

/// The addresses whose sign-up was acknowledged. Adds a permit to `under_load` for each.
async fn sign_up_until_killed(url: String, kill: u64, writer: u64, under_load: Arc<Semaphore>) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let email = format!("k{kill}w{writer}n{number}@x.test");
        let body = json!({ "email": email, "password": PASSWORD });
        let answer = crate::kit::Request::to(&format!("{url}/auth/v1/signup")).json(&body).try_send().await;
        match answer {
            Ok(answer) if answer.status == 200 => {
                acknowledged.push(email);
                under_load.add_permits(1);
            }
            _ => break,
        }
    }
    acknowledged
}

//! PostgreSQL dies under load: requests get a 503 with a retry hint, and the server recovers without a restart.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use super::kill::{cluster_folder, postmaster};
use crate::kit::{Answer, Calls, Launch, Process, Request, accounts};

/// A route of the API, requested as an anonymous visitor.
struct Target {
    url: String,
    key: String,
    /// Its usual status.
    usual: u16,
}

impl Target {
    async fn of(launch: &Launch) -> Self {
        let output = launch.command(["status", "-o", "json", "--data-dir"]).arg(launch.data_dir()).output().unwrap();
        let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let key = status["ANON_KEY"].as_str().unwrap().to_owned();
        let mut target = Target { url: format!("{}/rest/v1/referral_codes?limit=1", launch.url()), key, usual: 0 };
        target.usual = target.ask().await.status;
        assert!([200, 401].contains(&target.usual), "{}", target.usual);
        target
    }

    async fn ask(&self) -> Answer {
        Request::to_get(&self.url).header("apikey", &self.key).await
    }

    /// Repeats the request until it has its usual status.
    async fn back_within(&self, limit: Duration, dugout: &Process) {
        let begun = Instant::now();
        while self.ask().await.status != self.usual {
            assert!(begun.elapsed() < limit, "not back after {limit:?}:\n{}", dugout.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(begun.elapsed() < limit, "it took {:?}", begun.elapsed());
    }
}

/// Every answer has the usual status or is a 503 with `Retry-After`, and none takes longer than `limit`. Returns the
/// number of 503s.
fn judge(answers: &[(Answer, Duration)], usual: u16, limit: Duration) -> usize {
    assert!(!answers.is_empty());
    for (answer, took) in answers {
        assert!(*took < limit, "{took:?} for a {}", answer.status);
        if answer.status != usual {
            assert_eq!(answer.status, 503, "{}", answer.body);
            assert!(!answer.header("retry-after").is_empty(), "{:?}", answer.headers);
        }
    }
    answers.iter().filter(|(answer, _)| answer.status != usual).count()
}

#[tokio::test]
async fn a_killed_postgresql_restarts_by_itself() {
    for account in accounts() {
        let launch = Launch::prepared(account).await.env("DUGOUT_DB_DURABILITY", "full");
        let dugout = launch.start().await;
        let target = Arc::new(Target::of(&launch).await);
        let cluster = cluster_folder(&launch);
        let over = Arc::new(AtomicBool::new(false));
        let load: Vec<_> = (0..8).map(|_| tokio::spawn(load(target.clone(), over.clone()))).collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let killed = postmaster(&cluster);
        kill_process(killed, Signal::KILL).unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        target.back_within(Duration::from_secs(5), &dugout).await;
        assert_ne!(postmaster(&cluster), killed);
        over.store(true, Ordering::Relaxed);
        for task in load {
            judge(&task.await.unwrap(), target.usual, Duration::from_secs(11));
        }
        dugout.get("/health").await.is(200);
    }
}

#[tokio::test]
async fn while_postgresql_cannot_start_requests_get_503_with_retry_after() {
    for account in accounts() {
        let launch =
            Launch::prepared(account).await.env("DUGOUT_DB_DURABILITY", "full").env("DUGOUT_DB_ACQUIRE_TIMEOUT", "1");
        let dugout = launch.start().await;
        let target = Arc::new(Target::of(&launch).await);
        let cluster = cluster_folder(&launch);
        let control = cluster.join("global/pg_control");
        let aside = cluster.join("pg_control.aside");
        let over = Arc::new(AtomicBool::new(false));
        let load: Vec<_> = (0..4).map(|_| tokio::spawn(load(target.clone(), over.clone()))).collect();
        // PostgreSQL cannot start without this file.
        std::fs::rename(&control, &aside).unwrap();
        kill_process(postmaster(&cluster), Signal::KILL).unwrap();
        tokio::time::sleep(Duration::from_secs(3)).await;
        std::fs::rename(&aside, &control).unwrap();
        target.back_within(Duration::from_secs(5), &dugout).await;
        over.store(true, Ordering::Relaxed);
        let mut refused = 0;
        for task in load {
            refused += judge(&task.await.unwrap(), target.usual, Duration::from_secs(3));
        }
        assert!(refused > 3, "only {refused} requests were refused in three seconds");
    }
}

async fn load(target: Arc<Target>, over: Arc<AtomicBool>) -> Vec<(Answer, Duration)> {
    let mut answers = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let answer = target.ask().await;
        answers.push((answer, begun.elapsed()));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    answers
}

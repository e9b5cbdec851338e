//! PostgreSQL dies under load: requests are told to come back, and soon it works again without a restart of the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use super::kill::{cluster_folder, postmaster};
use crate::kit::{Answer, Calls, Launch, Request, accounts};

#[tokio::test]
async fn requests_are_told_to_come_back_and_soon_are_served_again() {
    for account in accounts() {
        let launch = Launch::new(account);
        let dugout = launch.start().await;
        let key = anon_key(&launch);
        let url = format!("{}/rest/v1/referral_codes?limit=1", launch.url());
        let first = Request::to_get(&url).header("apikey", &key).await;
        assert!([200, 401].contains(&first.status), "{}", first.body);
        let usual = first.status;

        let over = Arc::new(AtomicBool::new(false));
        let load: Vec<_> = (0..8).map(|_| tokio::spawn(load(url.clone(), key.clone(), over.clone()))).collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        kill_process(postmaster(&cluster_folder(&launch)), Signal::KILL).unwrap();
        let killed = Instant::now();
        tokio::time::sleep(Duration::from_millis(100)).await;
        while Request::to_get(&url).header("apikey", &key).await.status != usual {
            assert!(killed.elapsed() < Duration::from_secs(5), "not back after 5 s:\n{}", dugout.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        over.store(true, Ordering::Relaxed);
        let mut refused = 0;
        for task in load {
            for (answer, took) in task.await.unwrap() {
                assert!(took < Duration::from_secs(11), "{took:?}: longer than the acquire timeout");
                if answer.status == usual {
                    continue;
                }
                assert_eq!(answer.status, 503, "{}", answer.body);
                assert!(!answer.header("retry-after").is_empty(), "{:?}", answer.headers);
                refused += 1;
            }
        }
        assert!(refused > 0, "nothing was refused: the kill was not seen");
        dugout.get("/health").await.is(200);
    }
}

async fn load(url: String, key: String, over: Arc<AtomicBool>) -> Vec<(Answer, Duration)> {
    let mut answers = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let answer = Request::to_get(&url).header("apikey", &key).await;
        answers.push((answer, begun.elapsed()));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    answers
}

fn anon_key(launch: &Launch) -> String {
    let output = launch.command(["status", "-o", "json", "--data-dir"]).arg(launch.data_dir()).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    status["ANON_KEY"].as_str().unwrap().to_owned()
}

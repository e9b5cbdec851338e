//! SIGTERM lets requests in flight finish; a second signal does not wait for them.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::kit::{Answer, Calls, Launch, PASSWORD, Process, Request, accounts};

/// A request that takes about three seconds in the database.
async fn slow(launch: &Launch, dugout: &Process) -> tokio::task::JoinHandle<Result<Answer, reqwest::Error>> {
    let output = launch.command(["status", "-o", "json", "--data-dir"]).arg(launch.data_dir()).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let database = pg::Target::parse(status["DB_URL"].as_str().unwrap()).unwrap();
    let owner = crate::kit::connect(&database).await;
    owner
        .batch_execute(
            "create function public.slow() returns int language sql as 'select pg_sleep(3); select 7'; notify pgrst",
        )
        .await
        .unwrap();
    let key = status["SERVICE_ROLE_KEY"].as_str().unwrap().to_owned();
    let url = format!("{}/rest/v1/rpc/slow", launch.url());
    for _ in 0..100 {
        if dugout.request(reqwest::Method::OPTIONS, "/rest/v1/rpc/slow").bearer(&key).await.status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let request = Request::to(&url).header("apikey", &key).bearer(&key).json(&json!({}));
    let answer = tokio::spawn(request.try_send());
    tokio::time::sleep(Duration::from_millis(700)).await;
    answer
}

#[tokio::test]
async fn one_signal_lets_requests_finish() {
    for account in accounts() {
        let launch = Launch::prepared(account).await;
        let mut dugout = launch.start().await;
        let request = slow(&launch, &dugout).await;
        dugout.signal(Signal::TERM);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(dugout.get("/health").try_send().await.is_err(), "new requests are refused");
        let answer = request.await.unwrap().expect("the request in flight was answered").is(200);
        assert_eq!(answer.body, "7");
        let status = dugout.ended(Duration::from_secs(15)).await;
        assert!(status.success(), "{status}: {}", dugout.log());
        // PostgreSQL stopped cleanly: no lock file is left, and the next start needs no recovery.
        assert!(!super::kill::cluster_folder(&launch).join("postmaster.pid").exists());
    }
}

#[tokio::test]
async fn a_second_signal_does_not_wait() {
    for account in accounts() {
        let launch = Launch::prepared(account).await;
        let mut dugout = launch.start().await;
        let request = slow(&launch, &dugout).await;
        dugout.signal(Signal::INT);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let begun = Instant::now();
        dugout.signal(Signal::INT);
        dugout.ended(Duration::from_secs(10)).await;
        assert!(begun.elapsed() < Duration::from_millis(1800), "it took {:?}", begun.elapsed());
        // Cut off, or a 5xx because the database is gone, whichever comes first.
        assert!(request.await.unwrap().map_or(true, |answer| answer.status >= 500));
        // The data is intact.
        let dugout = launch.start().await;
        dugout.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    }
}

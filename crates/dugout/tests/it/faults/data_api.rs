//! Faults of the data API's database: they are logged for the operator, and the server recovers by itself.

use std::time::{Duration, Instant};

use pg::Target;
use reqwest::Method;
use serde_json::json;

use crate::kit::{Account, Calls, Launch, Process, Request, connect, free_port};

/// Delays between attempts double, and the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(40);

/// Waits until `/health` reports `wanted`.
async fn health_is(dugout: &Process, wanted: &str) {
    let begun = Instant::now();
    loop {
        let health = dugout.get("/health").await.is(200).json();
        if health["status"] == wanted {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{health} and not {wanted}: {}", dugout.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn after_a_password_rotation_the_server_recovers() {
    // PostgreSQL requires passwords over TCP only.
    let port = free_port();
    let host = Launch::new(Account::Ours).switch("--dev").arg("--db-port", port.to_string());
    let _host = host.start().await;
    let admin = connect(&Target::unix(&host.data_dir().join("run"), port, "supabase_admin", "postgres")).await;
    for role in ["authenticator", "supabase_auth_admin", "supabase_realtime_admin"] {
        admin.batch_execute(&format!("alter role {role} password 'postgres'")).await.unwrap();
    }
    let url = format!("postgresql://postgres:postgres@127.0.0.1:{port}/postgres");
    let launch = Launch::new(Account::Ours).arg("--db-url", url).arg("--admin-port", free_port().to_string());
    let dugout = launch.start().await;
    health_is(&dugout, "ok").await;

    admin
        .batch_execute("alter role authenticator password 'another'; create table public.late (id int)")
        .await
        .unwrap();
    health_is(&dugout, "degraded").await;
    let log = dugout.log();
    assert!(log.contains("catalog_watch_failed") && log.contains("password authentication failed"), "{log}");

    admin.batch_execute("alter role authenticator password 'postgres'").await.unwrap();
    health_is(&dugout, "ok").await;
    let key = launch.status("SERVICE_ROLE_KEY");
    dugout.get("/rest/v1/late").header("apikey", &key).await.is(200);
}

#[tokio::test]
async fn a_fault_is_counted_and_logged_with_its_request() {
    let admin_port = free_port();
    let launch = Launch::new(Account::Ours).arg("--admin-port", admin_port.to_string());
    let dugout = launch.start().await;
    let owner = connect(&Target::parse(&launch.status("DB_URL")).unwrap()).await;
    let function = "create function public.broken() returns int language plpgsql as
        $$ begin raise exception 'out of order' using errcode = '58000'; end $$";
    owner.batch_execute(function).await.unwrap();
    let key = launch.status("SERVICE_ROLE_KEY");
    let begun = Instant::now();
    let answer = loop {
        let call = dugout.post("/rest/v1/rpc/broken", json!({})).header("apikey", &key).header("x-request-id", "my-id");
        let answer = call.await;
        if answer.status != 404 || begun.elapsed() > PATIENCE {
            break answer;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!((answer.status, answer.header("x-request-id")), (500, "my-id"), "{}", answer.body);
    let fault = dugout.log().lines().find(|line| line.contains("out of order")).map(str::to_owned);
    let fault = fault.unwrap_or_else(|| panic!("the log does not mention it: {}", dugout.log()));
    assert!(fault.contains("my-id") && fault.contains("58000"), "{fault}");
    let metrics = Request::to_get(&format!("http://127.0.0.1:{admin_port}/metrics")).await.is(200).body;
    assert!(metrics.contains(r#"dugout_events_total{name="fault"} 1"#), "{metrics}");
    // The same of a policy that storage meets.
    let policy = "create policy broken on storage.objects for select to anon using (public.broken() = 1)";
    owner.batch_execute(policy).await.unwrap();
    let bucket = dugout.post("/storage/v1/bucket", json!({ "id": "b", "name": "b" }));
    bucket.bearer(&key).await.is(200);
    dugout.request(Method::POST, "/storage/v1/object/b/a.txt").bearer(&key).body("x").await.is(200);
    let read = dugout.request(Method::GET, "/storage/v1/object/authenticated/b/a.txt");
    let answer = read.bearer(&launch.status("ANON_KEY")).header("x-request-id", "its-id").await;
    assert_eq!((answer.status, answer.header("x-request-id")), (500, "its-id"), "{}", answer.body);
    assert!(!answer.body.contains("out of order"), "{}", answer.body);
    let log = dugout.log();
    let fault = log.lines().find(|line| line.contains("out of order") && line.contains("its-id"));
    assert!(fault.is_some_and(|line| line.contains("storage")), "{log}");
    let metrics = Request::to_get(&format!("http://127.0.0.1:{admin_port}/metrics")).await.is(200).body;
    assert!(metrics.contains(r#"dugout_events_total{name="fault"} 2"#), "{metrics}");
}

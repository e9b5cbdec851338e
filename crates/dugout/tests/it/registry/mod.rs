//! A new service needs a crate and a line in the registry. A dummy service is then found everywhere.

mod dummy;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gateway::Route;
use gateway::service::Manifest;
use reqwest::Method;
use server::registry::{self, SERVICES};
use server::{Config, Sources};

use crate::kit::{Answer, Database, Request};

/// The registry with one more line.
fn services() -> Vec<&'static Manifest> {
    [SERVICES, &[&dummy::SERVICE]].concat()
}

fn sources(database: &Database, data: &std::path::Path, more: &[(&str, &str)]) -> Sources {
    let own = [
        ("DUGOUT_PORT", "0"),
        ("DUGOUT_ADMIN_PORT", "0"),
        ("DUGOUT_WORKERS", "1"),
        ("DUGOUT_DB_POOL", "8"),
        // Longer than a request that waits for the drain may take.
        ("DUGOUT_SHUTDOWN_TIMEOUT", "60"),
        ("DUGOUT_DATA_DIR", data.to_str().unwrap()),
        ("DATABASE_URL", &database.target().url()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let more = more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Sources { env: own.into_iter().chain(more).collect(), ..Sources::default() }
}

fn load(sources: &Sources) -> Config {
    Config::load_for(&services(), sources).unwrap_or_else(|problems| panic!("{problems:#?}")).0
}

async fn get(url: &str) -> Answer {
    Request::of(Method::GET, url).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_service_is_mounted_limited_counted_and_drained() {
    let (database, data) = (Database::cloned().await, tempfile::tempdir().unwrap());
    let config = load(&sources(&database, data.path(), &[("DUMMY_GREETING", "Good morning")]));
    assert_eq!(config.budget().of("dummy"), 1);
    let running = Box::pin(server::start(config, None)).await.unwrap();
    let at = format!("{}/dummy/v1", running.url());

    // It is mounted and configured; its role, schema and migrations exist.
    assert_eq!(get(&format!("{at}/greeting")).await.is(200).body, format!("Good morning from {}", dummy::ROLE));
    get(&format!("{at}/nothing")).await.is(404);
    // It is rate-limited and body-limited: at the limit and one past it.
    for _ in 0..dummy::LIMIT {
        get(&format!("{at}/limited")).await.is(200);
    }
    let refused = get(&format!("{at}/limited")).await.is(429);
    assert_eq!(refused.header("retry-after"), "1200");
    for (length, status) in [(dummy::BODY_LIMIT, 200), (dummy::BODY_LIMIT + 1, 413)] {
        Request::of(Method::POST, &format!("{at}/echo")).body("x".repeat(length)).await.is(status);
    }
    // It is counted.
    let metrics = get(&format!("http://{}/metrics", running.admin_address.unwrap())).await.is(200).body;
    assert!(metrics.contains(r#"service="dummy",method="GET",status="429""#), "{metrics}");
    assert!(metrics.contains(r#"db_connections{pool="dummy""#), "{metrics}");

    // It is drained before HTTP stops. Otherwise this request would be waited for, and aborted in the end.
    let begun = Instant::now();
    let waiting = tokio::spawn(async move { Request::of(Method::GET, &format!("{at}/until-drained")).await });
    while !dummy::WAITING.load(Ordering::SeqCst) {
        assert!(begun.elapsed() < Duration::from_secs(30), "the request does not arrive");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Box::pin(running.stop()).await;
    assert_eq!(waiting.await.unwrap().is(200).body, "drained");
    assert!(begun.elapsed() < Duration::from_secs(50), "the stop took {:?}", begun.elapsed());
    // The role belongs to the cluster; everything else is dropped with the database.
    let client = database.connect().await;
    let drop_role = format!("drop owned by {0}; drop role {0}", dummy::ROLE);
    let _ = client.batch_execute(&drop_role).await;
}

#[tokio::test]
async fn its_settings_are_resolved_shown_and_checked() {
    let (database, data) = (Database::cloned().await, tempfile::tempdir().unwrap());
    let sources = |more: &[(&str, &str)]| sources(&database, data.path(), more);
    for (given, shown) in [
        (&[][..], "dummy.greeting = Hello    # default"),
        (&[("SUPABASE_DUMMY_GREETING", "Hi")], "dummy.greeting = Hi    # SUPABASE_DUMMY_GREETING"),
        (&[("SUPABASE_DUMMY_GREETING", "Hi"), ("DUMMY_GREETING", "Ho")], "dummy.greeting = Ho    # DUMMY_GREETING"),
    ] {
        let (config, resolved) =
            Config::load_for(&services(), &sources(given)).unwrap_or_else(|problems| panic!("{problems:#?}"));
        assert!(config.shown(&resolved).iter().any(|found| found.to_string() == shown), "{shown}");
    }
    let problems = Config::load_for(&services(), &sources(&[("DUMMY_GREETING", "Hey!")])).err().unwrap();
    assert_eq!(problems[0].to_string(), "DUMMY_GREETING: “Hey!” must not shout");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_over_the_limit_of_postgresql_is_refused() {
    let (database, data) = (Database::cloned().await, tempfile::tempdir().unwrap());
    let config = load(&sources(&database, data.path(), &[("DUGOUT_DB_POOL", "4000")]));
    let refused = Box::pin(server::start(config, None)).await.err().unwrap().to_string();
    let wanted = "PostgreSQL allows 397 connections, but more are needed (4003: auth 1000, rest 1696, storage 800, realtime 500, functions 2, dummy 1, ";
    assert!(refused.starts_with(wanted) && refused.contains("lower db_pool"), "{refused}");
}

#[test]
fn it_is_documented_and_its_routes_are_listed() {
    let document = registry::settings_document(&services());
    let row = "| `dummy.greeting` | What is said first | `Hello` | `dummy.greeting` | `DUMMY_GREETING` | |";
    assert!(document.contains(row), "{document}");
    assert!(document.contains("| `DUMMY_UPSTREAM` | What upstream calls a secret |"), "{document}");
    let rows: Vec<String> = registry::tables(&services())
        .into_iter()
        .filter(|(mount, _)| mount == "/dummy/v1")
        .flat_map(|(_, table)| table.routes.iter().map(Route::describe).collect::<Vec<_>>())
        .collect();
    let limited = rows.iter().find(|row| row.contains("/limited")).unwrap();
    assert!(limited.contains("Anyone") && limited.ends_with("greeting"), "{limited}");
    assert!(rows.iter().any(|row| row.contains("/echo") && row.contains("16")), "{rows:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_runs_alone() {
    let database = Database::cloned().await;
    let admin = database.connect().await;
    admin.batch_execute("create schema dummy").await.unwrap();
    let variables = BTreeMap::from([
        ("DATABASE_URL".to_owned(), database.target().url()),
        ("DUMMY_GREETING".to_owned(), "Alone".to_owned()),
    ]);
    let config = (dummy::SERVICE.alone.unwrap().configure)(variables).unwrap();
    let service = server::standalone::start(&dummy::SERVICE, config).await.unwrap();
    let answer = get(&format!("{}/greeting", service.url)).await.is(200).body;
    assert_eq!(answer, "Alone from supabase_admin");
    service.stop().await;
}

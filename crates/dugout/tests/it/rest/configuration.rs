//! The precedence of the configuration's sources, reloading under load, and the admin server. Source:
//! src/library/PostgREST/AppState.hs, Admin.hs and Config.hs.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::kit::{Calls, DataProcess, Request};

const NUMBERS: &str = "create table numbers (id int primary key); insert into numbers select generate_series(1, 5);";
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until a read without a limit returns `wanted` rows.
async fn rows(s: &DataProcess, wanted: usize) {
    let begun = Instant::now();
    loop {
        let found = s.get("/numbers").await.json().as_array().map(Vec::len);
        if found == Some(wanted) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "still {found:?} rows instead of {wanted}: {}", s.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Sets or resets a setting of the connection's role in this database only.
async fn in_database(s: &DataProcess, change: &str) {
    let client = s.database.connect().await;
    let name: String = client.query_one("select current_database()::text", &[]).await.unwrap().get(0);
    client.batch_execute(&format!("alter role authenticator in database {name} {change}")).await.unwrap();
}

#[tokio::test]
async fn the_database_overrides_the_file_unless_disabled() {
    let s = DataProcess::start_with(NUMBERS, &[], "db-max-rows = 4").await;
    rows(&s, 4).await;
    // From the file, by signal.
    s.reconfigure("db-max-rows = 3");
    rows(&s, 3).await;
    // From the database, by NOTIFY.
    in_database(&s, "set pgrst.db_max_rows = '2'").await;
    s.database.connect().await.batch_execute("notify pgrst, 'reload config'").await.unwrap();
    rows(&s, 2).await;
    // An invalid configuration leaves the current one in force.
    s.reconfigure("db-max-rows = 5\ndb-tx-end = \"sometimes\"");
    tokio::time::sleep(Duration::from_millis(300)).await;
    rows(&s, 2).await;
    // The database overrides the file, unless the file sets `db-config = false`.
    s.reconfigure("db-max-rows = 5\ndb-config = false");
    rows(&s, 5).await;
    s.reconfigure("db-max-rows = 5\ndb-config = true");
    rows(&s, 2).await;
    // Another session's change, seen on a reload of the schema cache.
    in_database(&s, "set pgrst.db_max_rows = '1'").await;
    s.signal(Signal::USR1);
    rows(&s, 1).await;
}

#[tokio::test]
async fn the_environment_overrides_the_file() {
    let s = DataProcess::start_with(NUMBERS, &[("PGRST_DB_MAX_ROWS", "2")], "db-max-rows = 4").await;
    rows(&s, 2).await;
}

#[tokio::test]
async fn a_replaced_key_is_no_longer_accepted() {
    let secrets = ["the first of two secrets, long enough", "the other of two secrets, long enough"];
    let file = |secret: &str| format!("jwt-secret = \"{secret}\"");
    let token = |secret: &str| {
        let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
        jsonwebtoken::encode(&jsonwebtoken::Header::default(), &json!({ "role": "authenticated" }), &key).unwrap()
    };
    let s = DataProcess::start_with(NUMBERS, &[], &file(secrets[0])).await;
    let status = |secret| {
        let request = s.get("/numbers").bearer(&token(secret));
        async move { request.await.status }
    };
    // Twice, because the cache of verified tokens must be dropped together with the key.
    for _ in 0..2 {
        assert_eq!((status(secrets[0]).await, status(secrets[1]).await), (200, 401));
    }
    s.reconfigure(&file(secrets[1]));
    let begun = Instant::now();
    while (status(secrets[0]).await, status(secrets[1]).await) != (401, 200) {
        assert!(begun.elapsed() < PATIENCE, "{}", s.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_admin_server_reports_the_state() {
    let s = DataProcess::start_with(NUMBERS, &[], "").await;
    let admin = |path: &str| Request::to_get(&format!("{}{path}", s.admin));
    admin("/live").await.is(200);
    let begun = Instant::now();
    while admin("/ready").await.status != 200 {
        assert!(begun.elapsed() < PATIENCE, "{}", s.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(admin("/schema_cache").await.is(200).body.contains("numbers"));
    let metrics = admin("/metrics").await.is(200).body;
    for name in
        ["pgrst_db_pool_max 4", "pgrst_schema_cache_loads_total{status=\"SUCCESS\"}", "pgrst_jwt_cache_requests_total"]
    {
        assert!(metrics.contains(name), "{name}: {metrics}");
    }
    admin("/elsewhere").await.is(404);

    s.cut_off_database().await;
    let begun = Instant::now();
    while admin("/ready").await.status == 200 {
        assert!(begun.elapsed() < PATIENCE, "{}", s.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    admin("/live").await.is(200);
}

#[tokio::test]
async fn without_automatic_recovery_the_server_exits() {
    let mut s = DataProcess::start_with(NUMBERS, &[("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "false")], "").await;
    s.cut_off_database().await;
    assert_eq!(s.ended(PATIENCE).await.code(), Some(1));
    assert!(s.log().contains("Automatic recovery disabled, exiting."), "{}", s.log());
}

#[tokio::test]
async fn the_log_has_one_line_of_settings_for_every_request() {
    let s = DataProcess::start(NUMBERS, &[("PGRST_LOG_QUERY", "true"), ("PGRST_LOG_LEVEL", "info")]).await;
    let lines = || s.log().matches(": select set_config('search_path', $1, true), set_config(").count();
    let before = lines();
    for path in ["/", "/numbers", "/numbers?select=id&limit=1"] {
        s.get(path).await.is(200);
    }
    let begun = Instant::now();
    while lines() < before + 3 && begun.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(lines(), before + 3, "{}", s.log());
}

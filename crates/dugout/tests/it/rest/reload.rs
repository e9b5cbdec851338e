//! The schema cache while the schema changes: it follows the database without failing or delaying requests. Source:
//! src/PostgREST/AppState.hs and Listener.hs, with improvements.

use std::time::{Duration, Instant};

use crate::kit::{Calls, DataApi, DataProcess};

const A_SECOND: Duration = Duration::from_secs(1);
/// Time for the announcements to pause and for a few loads, on a machine that runs other tests.
const A_FEW_LOADS: Duration = Duration::from_secs(5);
/// Time for a response on a machine that runs other tests.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until `path` is answered with `status`, and returns how long that took.
async fn answered(s: &impl Calls, path: &str, status: u16) -> Duration {
    let begun = Instant::now();
    loop {
        let answer = s.get(path).await;
        if answer.status == status {
            return begun.elapsed();
        }
        assert!(begun.elapsed() < PATIENCE, "{path} is still {}: {}", answer.status, answer.body);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn ddl_is_visible_within_a_second() {
    let s = DataApi::start("create table first (id int primary key)", &[]).await;
    let admin = s.database.connect().await;
    let mut latencies = Vec::new();
    for (ddl, path, status) in [
        ("create table api.one (id int primary key)", "/one", 200),
        ("create view api.two as select * from api.one", "/two", 200),
        ("create function api.three() returns int language sql as 'select 3'", "/rpc/three", 200),
        ("drop view api.two", "/two", 404),
        ("alter table api.one rename to four", "/four", 200),
        ("alter table api.four add first_id int references api.first", "/four?select=first(id)", 200),
    ] {
        admin.batch_execute(ddl).await.unwrap();
        latencies.push(answered(&s, path, status).await);
    }
    latencies.sort();
    assert!(latencies[latencies.len() / 2] < A_SECOND, "{latencies:?}");
}

#[tokio::test]
async fn a_burst_of_changes_causes_few_loads() {
    let s = DataProcess::start("create table first (id int primary key)", &[]).await;
    let admin = s.database.connect().await;
    let loads = || s.log().matches("Schema cache loaded in").count();
    let before = loads();
    for number in 0..100 {
        admin.batch_execute(&format!("create table api.burst_{number} (id int primary key)")).await.unwrap();
    }
    let begun = Instant::now();
    answered(&s, "/burst_99", 200).await;
    let (loads, took) = (loads() - before, begun.elapsed());
    assert!((1..=20).contains(&loads), "{loads} loads for 100 changes");
    assert_eq!(before, 1, "the start loads only once, although the listener connects during it");
    // A queue of a hundred loads would take longer than a few.
    assert!(took < A_FEW_LOADS, "the last table was answered {took:?} after the last change");
}

#[tokio::test]
async fn requests_succeed_while_a_load_hangs() {
    let s = DataApi::start("create table first (id int primary key)", &[]).await;
    let (mut admin, other) = (s.database.connect().await, s.database.connect().await);
    let lock = admin.transaction().await.unwrap();
    // Of all tables that a load reads, this is the one that requests do not need.
    lock.batch_execute("lock table pg_description in access exclusive mode").await.unwrap();
    other.batch_execute("create table api.fresh (id int primary key); notify pgrst").await.unwrap();
    let begun = Instant::now();
    while begun.elapsed() < A_SECOND {
        let asked = Instant::now();
        s.get("/first?select=id").await.is(200);
        assert!(asked.elapsed() < A_SECOND, "a request waited {:?}", asked.elapsed());
    }
    s.get("/fresh").await.is(404);
    lock.rollback().await.unwrap();
    answered(&s, "/fresh", 200).await;
}

#[tokio::test]
async fn fifty_loads_do_not_disturb_requests() {
    let s = DataApi::start("create table first (id int primary key)", &[]).await;
    let admin = s.database.connect().await;
    let url = s.url.clone();
    let asking = tokio::spawn(async move {
        let mut asked = 0;
        let mut failed = Vec::new();
        while asked < 400 {
            let answer = crate::kit::Request::to_get(&format!("{url}/first?select=id")).await;
            failed.extend((answer.status != 200).then_some(answer));
            asked += 1;
        }
        failed
    });
    for number in 0..50 {
        admin.batch_execute(&format!("create table api.t{number} (id int); notify pgrst")).await.unwrap();
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    let failed = asking.await.unwrap();
    assert!(failed.is_empty(), "{failed:?}");
    answered(&s, "/t49", 200).await;
}

#[tokio::test]
async fn loads_and_schema_changes_do_not_wait_for_each_other() {
    let s = DataApi::start(
        "create table base (id int primary key, at timestamptz default now());
         create view over as select * from base",
        &[],
    )
    .await;
    let (mut admin, other) = (s.database.connect().await, s.database.connect().await);
    let change = admin.transaction().await.unwrap();
    change.batch_execute("lock table api.base in access exclusive mode").await.unwrap();
    other.batch_execute("create table api.fresh (id int primary key)").await.unwrap();
    // The transaction is still open; all other changes are loaded.
    answered(&s, "/fresh", 200).await;
    let verbs = || s.request(reqwest::Method::OPTIONS, "/over");
    let all = "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE";
    assert_eq!(verbs().await.header("allow"), all, "the previous description of the view is kept");
    // The load does not block the transaction.
    change.batch_execute("set local lock_timeout = '5s'; lock table api.over in access exclusive mode").await.unwrap();
    change.commit().await.unwrap();
    assert_eq!(verbs().await.header("allow"), all);
}

#[tokio::test]
async fn a_failed_load_keeps_the_catalog_and_is_retried() {
    let s = DataApi::start("create table first (id int primary key)", &[]).await;
    let admin = s.database.connect().await;
    admin.batch_execute("revoke select on pg_description from public").await.unwrap();
    admin.batch_execute("create table api.fresh (id int primary key)").await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    s.get("/first").await.is(200);
    s.get("/fresh").await.is(404);
    // Nothing announces this change: the load is retried after a second.
    admin.batch_execute("grant select on pg_description to public").await.unwrap();
    answered(&s, "/fresh", 200).await;
    s.get("/first").await.is(200);
}

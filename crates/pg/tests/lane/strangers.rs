//! How requests on the hot lane may affect other users' requests on the same connection.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use pg::{Access, BoundSql, Cost, Lane, LaneConfig, Lanes, Rows, Session, Snippet, Work};

use crate::database::{Database, reading, refused, texts};

/// A lane with so many connections that no request waits, and its shared connection's backend.
async fn lane(db: &Database) -> (Lane, String) {
    let config = LaneConfig { size: 40, hot: 1, lanes: Lanes::Auto, ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    let begun = Instant::now();
    for number in 0.. {
        // Only the shared connection has this time-out. The SQL text is new each time, because on a busy machine it may become
        // one that is slow.
        let asked = numbered(", pg_backend_pid()::text, current_setting('statement_timeout')", -number);
        let rows = lane.read(&asked).await.unwrap();
        if rows.rows[0].text(2) == Some("100ms") {
            let shared = rows.rows[0].text(1).unwrap().to_owned();
            return (lane, shared);
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no shared connection was made");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    unreachable!("there are always more numbers")
}

fn by_key(query: &'static str) -> Work {
    Work { cost: Cost::ByKey, ..reading(query) }
}

/// A read with a unique SQL text.
fn numbered(query: &'static str, number: i64) -> Work {
    let mut text = Snippet::raw("select ");
    text.integer(number).push(query);
    Work { query: text.into(), ..by_key("") }
}

/// Runs a read whose third column is its backend's pid, until it ran on the shared connection, which it may have missed on a slow
/// machine. The SQL text is new each time.
async fn on_shared((lane, shared): (&Lane, &str), session: &Session, query: &'static str) -> Rows {
    static NUMBER: AtomicI64 = AtomicI64::new(100);
    for _ in 0..50 {
        let work = numbered(query, NUMBER.fetch_add(1, Ordering::Relaxed));
        let rows = lane.read(&Work { session: session.clone(), ..work }).await.unwrap();
        if rows.rows[0].text(2) == Some(shared) {
            return rows;
        }
    }
    panic!("never on the shared connection");
}

#[tokio::test]
async fn requests_wait_for_one_slow_statement_at_most() {
    let db = Database::create().await;
    // The first exceeds the time-out of 100 ms, the second does not.
    for slow in [", pg_sleep(1)::text", ", pg_sleep(0.08)::text"] {
        let (lane, shared) = lane(&db).await;
        let slow = (0..20).map(|number| {
            let lane = lane.clone();
            tokio::spawn(async move { lane.read(&numbered(slow, number)).await.map(|_| ()) })
        });
        let slow: Vec<_> = slow.collect();
        tokio::task::yield_now().await;
        let begun = Instant::now();
        let stranger = lane.read(&by_key("select pg_backend_pid()::text")).await.unwrap();
        assert!(begun.elapsed() < Duration::from_millis(700), "{:?}", begun.elapsed());
        assert_ne!(stranger.rows[0].text(0).unwrap(), shared, "it was behind slow statements and moved elsewhere");
        for slow in slow {
            slow.await.unwrap().unwrap();
        }
        db.await_activity("state <> 'idle'", 0).await;
    }
}

#[tokio::test]
async fn a_large_response_is_not_buffered_on_the_shared_connection() {
    let db = Database::create().await;
    let (lane, shared) = lane(&db).await;
    for (bytes, on_shared) in [(200_000, true), (300_000, false), (30_000_000, false)] {
        let mut text = Snippet::raw("select pg_backend_pid()::text, repeat('x', ");
        text.integer(bytes).push(")");
        let rows = lane.read(&Work { query: text.into(), ..by_key("") }).await.unwrap();
        assert_eq!(rows.rows[0].get(1).unwrap().len(), usize::try_from(bytes).unwrap());
        assert_eq!(rows.rows[0].text(0).unwrap() == shared, on_shared, "{bytes}");
    }
    let many = by_key("select pg_backend_pid()::text, repeat('x', 10000) from generate_series(1, 100)");
    let rows = lane.read(&many).await.unwrap();
    assert!(rows.rows.len() == 100 && rows.rows[0].text(0).unwrap() != shared);
    let rows = lane.read(&by_key("select pg_backend_pid()::text")).await.unwrap();
    assert_eq!(rows.rows[0].text(0).unwrap(), shared);
}

#[tokio::test]
async fn a_statement_that_was_never_prepared_does_not_affect_others() {
    let db = Database::create().await;
    let (lane, shared) = lane(&db).await;
    let names = ", string_agg(name, ',' order by prepare_time, name), max(pg_backend_pid())::text
         from pg_prepared_statements where prepare_time < clock_timestamp() - interval '200 ms'";
    on_shared((&lane, &shared), &Session::of_connection(), ", 'old', pg_backend_pid()::text").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = on_shared((&lane, &shared), &Session::of_connection(), names).await;

    // Both are sent before either is answered. The first is refused in its settings, so the second refers to a statement that
    // was never prepared.
    let text = BoundSql::from(Snippet::raw("select 'new'"));
    let fine = Work { query: text.clone(), ..by_key("") };
    let mut session = Session::of_connection();
    session.set("timezone", "Nowhere/At all");
    let failing = Work { session, ..fine.clone() };
    let (failed, fine) = tokio::join!(lane.read(&failing), lane.read(&fine));
    assert_eq!(refused(failed).code, "22023");
    assert_eq!(texts(&fine.unwrap()), [["new"]]);
    let after = on_shared((&lane, &shared), &Session::of_connection(), names).await;
    let (before, after) = (before.rows[0].text(1).unwrap(), after.rows[0].text(1).unwrap());
    assert!(!before.is_empty() && after.starts_with(before), "{before:?} became {after:?}");
}

#[tokio::test]
async fn connections_opened_before_a_flush_are_not_used_after_it() {
    let db = Database::create().await;
    for delay in (0..20_000).step_by(500) {
        let config = LaneConfig { size: 3, hot: 2, lanes: Lanes::Hot, ..LaneConfig::default() };
        let lane = Lane::new(&db.target, &config).unwrap();
        let flush = async {
            tokio::time::sleep(Duration::from_micros(delay)).await;
            let now = db.admin.query_one("select clock_timestamp()::text", &[]).await.unwrap();
            lane.flush();
            now.get::<_, String>(0)
        };
        let read = Work { access: Access::ReadOnly, ..by_key("select 1") };
        let (rows, flushed) = tokio::join!(lane.read(&read), flush);
        rows.unwrap();
        lane.read(&read).await.unwrap();
        db.await_activity(&format!("backend_start < '{flushed}' and wait_event = 'ClientRead'"), 0).await;
        lane.close();
        db.await_activity("true", 0).await;
    }
}

#[tokio::test]
async fn a_shorter_time_out_of_the_role_applies() {
    let db = Database::create().await;
    let (lane, shared) = lane(&db).await;
    for (own, shown) in [("40", "40ms"), ("40ms", "40ms"), ("3s", "100ms"), ("0", "100ms")] {
        let mut session = Session::of_connection();
        session.set("statement_timeout", own);
        let show = ", current_setting('statement_timeout'), pg_backend_pid()::text";
        let rows = on_shared((&lane, &shared), &session, show).await;
        assert_eq!(rows.rows[0].text(1), Some(shown));
    }
}

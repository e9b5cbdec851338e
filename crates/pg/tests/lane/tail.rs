//! Streaming of long values.

use std::convert::Infallible;
use std::future::poll_fn;
use std::time::{Duration, Instant};

use pg::lane::{Pace, Tail};
use pg::{Delivery, Error, Isolation, Lane, LaneConfig, LaneFailure, Rows, Session, Verdict, Work};

use crate::database::{Database, reading, texts, work};

/// A query for one row, whose last value has 2,000,000 bytes.
const LONG: &str = "select 7, null::text, '', repeat('0123456789', 200000)";

fn in_pieces(query: &'static str) -> Work {
    Work { delivery: Delivery::InPieces, ..reading(query) }
}

async fn all(tail: &mut Tail) -> Result<Vec<u8>, Error> {
    let mut value = Vec::new();
    while let Some(piece) = poll_fn(|cx| tail.poll_next(cx)).await {
        value.extend_from_slice(&piece?);
    }
    Ok(value)
}

async fn run(lane: &Lane, work: &Work, verdict: Verdict) -> Rows {
    lane.run(work, |_| Ok::<_, Infallible>(verdict)).await.unwrap()
}

#[tokio::test]
async fn a_long_value_is_complete_and_its_connection_returns() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let long = in_pieces(LONG);
    let expected = "0123456789".repeat(200_000).into_bytes();
    // The statement is parsed first, then cached, then run with a verdict.
    for attempt in 0..4 {
        let mut rows = match attempt {
            0 | 1 => lane.read(&long).await.unwrap(),
            2 => run(&lane, &long, Verdict::Commit).await,
            _ => run(&lane, &long, Verdict::Rollback).await,
        };
        assert_eq!((rows.columns.len(), rows.rows.len(), rows.rows[0].len()), (4, 1, 3));
        assert_eq!(texts(&rows), [["7", "∅", ""]]);
        let tail = rows.tail.as_mut().unwrap();
        assert_eq!(tail.len(), 2_000_000);
        assert_eq!(lane.status(), (1, 0, 0));
        assert!(all(tail).await.unwrap() == expected, "attempt {attempt}");
        assert_eq!(lane.status(), (1, 1, 0));
        drop(rows);
        assert_eq!(texts(&lane.read(&in_pieces("select 1")).await.unwrap()), [["1"]]);
    }
    db.await_activity("state = 'idle'", 1).await;
    assert_eq!(lane.status(), (1, 1, 0), "all on one connection");
}

#[tokio::test]
async fn short_values_writes_and_serializable_reads_are_not_streamed() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let serializable = Work { isolation: Isolation::Serializable, ..in_pieces(LONG) };
    let writing = Work { delivery: Delivery::InPieces, ..work(LONG) };
    for work in [in_pieces("select 1, repeat('x', 1000000)"), serializable, writing, reading(LONG)] {
        let rows = lane.read(&work).await.unwrap();
        assert!(rows.tail.is_none());
        assert!(rows.rows[0].text(rows.rows[0].len() - 1).unwrap().len() >= 200_000);
    }
    let rows = lane.read(&in_pieces("select repeat('x', 300000) from generate_series(1, 0)")).await.unwrap();
    assert!(rows.tail.is_none() && rows.rows.is_empty());
    let error = lane.read(&in_pieces("select repeat('x', 300000), 1 / (random() * 0)::int")).await.unwrap_err();
    assert_eq!(error.database().unwrap().code, "22012");
}

#[tokio::test]
async fn a_verdict_comes_before_the_first_piece() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let judged = lane.run(&in_pieces(LONG), |rows| Err::<Verdict, _>(rows.rows[0].text(0).map(str::to_owned))).await;
    assert!(matches!(judged, Err(LaneFailure::Judged(Some(seven))) if seven == "7"));
    assert_eq!(texts(&lane.read(&reading("select 1")).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn a_reader_that_disconnects_frees_connection_and_server() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let mut rows = lane.read(&in_pieces("select repeat('0123456789', 5000000)")).await.unwrap();
    let piece = poll_fn(|cx| rows.tail.as_mut().unwrap().poll_next(cx)).await.unwrap().unwrap();
    assert!(piece.len() < 1_000_000);
    drop(rows);
    db.await_activity("true", 0).await;
    assert_eq!(texts(&lane.read(&reading("select 1")).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn a_reader_that_is_too_slow_loses_the_connection() {
    let db = Database::create().await;
    let slow = |patience, bytes_a_second| {
        let pace = Pace { patience: Duration::from_millis(patience), bytes_a_second, ..Pace::default() };
        Lane::new(&db.target, &LaneConfig { size: 1, pace, ..LaneConfig::default() }).unwrap()
    };
    let long = in_pieces("select repeat('0123456789', 5000000)");
    // Reads nothing; or a piece of 64 kB every 50 ms, which is 1.3 MB/s.
    for (lane, pieces) in [(slow(200, 1), 0), (slow(200, 20_000_000), 100)] {
        let begun = Instant::now();
        let mut rows = lane.read(&long).await.unwrap();
        let tail = rows.tail.as_mut().unwrap();
        let mut failure = None;
        for _ in 0..pieces {
            if let Some(Err(error)) = poll_fn(|cx| tail.poll_next(cx)).await {
                failure = Some(error);
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        db.await_activity("true", 0).await;
        assert!(begun.elapsed() < Duration::from_secs(4));
        if failure.is_none() {
            failure = all(tail).await.err();
        }
        assert!(matches!(failure, Some(Error::Lost(_))), "{failure:?}");
        assert!(poll_fn(|cx| tail.poll_next(cx)).await.is_none(), "nothing follows an error");
        assert_eq!(texts(&lane.read(&reading("select 1")).await.unwrap()), [["1"]]);
    }
    // Never pauses for longer than the limit, and is fast enough.
    let lane = slow(200, 1000);
    let mut rows = lane.read(&in_pieces(LONG)).await.unwrap();
    let tail = rows.tail.as_mut().unwrap();
    let mut taken = 0;
    while let Some(piece) = poll_fn(|cx| tail.poll_next(cx)).await {
        taken += piece.unwrap().len();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(taken, 2_000_000);
}

#[tokio::test]
async fn slow_readers_hold_half_of_the_connections_at_most() {
    let db = Database::create().await;
    let lane = db.lane(4);
    let long = in_pieces(LONG);
    let mut held = Vec::new();
    for number in 0..6 {
        let rows = lane.read(&long).await.unwrap();
        assert_eq!(rows.tail.is_some(), number < 2, "{number}");
        if number >= 2 {
            assert_eq!(rows.rows[0].text(3).unwrap().len(), 2_000_000);
        }
        held.push(rows);
    }
    // The other half is free, and these are once their values have been read.
    assert_eq!(lane.status().1, 1);
    all(held[0].tail.as_mut().unwrap()).await.unwrap();
    assert!(lane.read(&long).await.unwrap().tail.is_some());
    // Dropped half-way.
    drop(held);
    assert!(lane.read(&long).await.unwrap().tail.is_some());
}

#[tokio::test]
async fn a_streamed_response_has_a_maximum_duration() {
    let db = Database::create().await;
    let pace = Pace { longest: Duration::from_millis(300), ..Pace::default() };
    let lane = Lane::new(&db.target, &LaneConfig { size: 1, pace, ..LaneConfig::default() }).unwrap();
    let mut rows = lane.read(&in_pieces("select repeat('0123456789', 5000000)")).await.unwrap();
    let tail = rows.tail.as_mut().unwrap();
    for _ in 0..2 {
        assert!(poll_fn(|cx| tail.poll_next(cx)).await.unwrap().is_ok());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(matches!(all(tail).await, Err(Error::Lost(_))));
    db.await_activity("true", 0).await;
}

#[tokio::test]
async fn a_server_that_dies_while_streaming_is_an_error() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let mut rows = lane.read(&in_pieces("select repeat('0123456789', 5000000)")).await.unwrap();
    assert_eq!(db.kill_backends().await, 1);
    let error = all(rows.tail.as_mut().unwrap()).await.unwrap_err();
    assert!(matches!(error, Error::Lost(_)), "{error:?}");
}

#[tokio::test]
async fn a_time_out_while_streaming_does_not_damage_the_value() {
    let db = Database::create().await;
    let lane = db.lane(1);
    let mut session = Session::of_connection();
    session.set("statement_timeout", "300");
    let work = Work { session, ..in_pieces("select repeat('0123456789', 500000)") };
    let mut rows = lane.read(&work).await.unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(all(rows.tail.as_mut().unwrap()).await.unwrap().len(), 5_000_000);
    assert_eq!(texts(&lane.read(&reading("select 1")).await.unwrap()), [["1"]]);
    assert_eq!(lane.status(), (1, 1, 0), "rolled back and reusable");
}

#[tokio::test]
async fn a_write_with_a_response_that_is_too_large_is_rolled_back() {
    let db = Database::create().await;
    db.sql("create table t (v text)").await;
    let lane = Lane::new(&db.target, &LaneConfig { size: 1, max_answer: 1_000_000, ..LaneConfig::default() }).unwrap();
    for (length, fits) in [(900_000, true), (3_000_000, false)] {
        let insert = if fits {
            "insert into t values (repeat('x', 900000)) returning v"
        } else {
            "insert into t values (repeat('x', 3000000)) returning v"
        };
        match lane.read(&work(insert)).await {
            Ok(rows) => assert!(fits && rows.rows[0].get(0).unwrap().len() == length),
            Err(error) => assert!(!fits && matches!(error, Error::TooLarge(1_000_000)), "{error:?}"),
        }
        db.await_activity("state <> 'idle'", 0).await;
        assert_eq!(db.number("select count(*) from t").await, 1);
    }
}

//! The pool: which request gets a connection, and in which state connections return.

use std::time::{Duration, Instant};

use pg::{Cost, Error, Lane, LaneConfig, Lanes, Snippet, Work};
use tokio::time::timeout;

use crate::database::{Database, commit, reading, refused, texts, work};

#[tokio::test]
async fn the_size_is_a_limit_and_all_requests_are_served() {
    let db = Database::create().await;
    let lane = db.lane(2);
    let requests: Vec<_> = (0..40)
        .map(|_| {
            let lane = lane.clone();
            tokio::spawn(async move { commit(&lane, &work("select pg_sleep(0.005)")).await.map(|_| ()) })
        })
        .collect();
    for request in requests {
        request.await.unwrap().unwrap();
    }
    assert_eq!(lane.status(), (2, 2, 0));
    assert_eq!(db.activity("true").await, 2);
}

#[tokio::test]
async fn waiting_ends_with_the_acquire_timeout() {
    let db = Database::create().await;
    let config = LaneConfig { size: 1, acquire_timeout: Duration::from_millis(400), ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    let slow = tokio::spawn({
        let lane = lane.clone();
        async move { commit(&lane, &work("select pg_sleep(1.5)")).await.map(|_| ()) }
    });
    db.await_activity("state = 'active'", 1).await;
    let begun = Instant::now();
    let late = work("select 1");
    let watch = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        lane.status()
    };
    let (late, status) = tokio::join!(commit(&lane, &late), watch);
    assert!(matches!(late, Err(Error::Exhausted)));
    assert_eq!(status, (1, 0, 1));
    assert!(begun.elapsed() >= Duration::from_millis(390));
    slow.await.unwrap().unwrap();
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn guests_wait_for_guests_and_others_do_not() {
    let db = Database::create().await;
    let config = LaneConfig { size: 3, guests: 2, ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    let guests: Vec<_> = (0..5)
        .map(|_| {
            let lane = lane.clone();
            let guest = Work { is_guest: true, ..work("select pg_sleep(.5)") };
            tokio::spawn(async move { commit(&lane, &guest).await.map(|_| ()) })
        })
        .collect();
    db.await_activity("query like '%pg_sleep%' and state = 'active'", 2).await;
    let begun = Instant::now();
    while lane.status().2 < 3 {
        assert!(begun.elapsed() < Duration::from_secs(10), "three guests never waited: {:?}", lane.status());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // Three guests wait already.
    commit(&lane, &work("select 1")).await.unwrap();
    assert!(guests.iter().filter(|guest| !guest.is_finished()).count() >= 3, "it waited for guests");
    for guest in guests {
        guest.await.unwrap().unwrap();
    }
    assert_eq!(lane.status().2, 0);
}

#[tokio::test]
async fn guests_alone_use_all_connections_but_one() {
    let db = Database::create().await;
    let config = LaneConfig { size: 4, guests: 1, ..LaneConfig::default() };
    for others in [false, true] {
        let lane = Lane::new(&db.target, &config).unwrap();
        if others {
            commit(&lane, &work("select 1")).await.unwrap();
        }
        let guests: Vec<_> = (0..6)
            .map(|_| {
                let lane = lane.clone();
                let guest = Work { is_guest: true, ..work("select pg_sleep(.3), current_setting('a.b', true)") };
                tokio::spawn(async move { commit(&lane, &guest).await.map(|_| ()) })
            })
            .collect();
        let expected = if others { 1 } else { 3 };
        db.await_activity("query like '%pg_sleep%' and state = 'active'", expected).await;
        // One connection is left, so this does not wait for guests.
        commit(&lane, &work("select 1")).await.unwrap();
        assert!(guests.iter().any(|guest| !guest.is_finished()), "others: {others}");
        for guest in guests {
            guest.await.unwrap().unwrap();
        }
        lane.close();
    }
}

#[tokio::test]
async fn guests_leave_a_connection_besides_those_of_the_hot_lane() {
    let db = Database::create().await;
    let config = LaneConfig { size: 5, hot: 2, guests: 1, lanes: Lanes::Hot, ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    // Guests read all the time, so that both shared connections stay open.
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let lane = lane.clone();
            let read = Work { is_guest: true, cost: Cost::Unknown, ..reading("select 1 from pg_sleep(.01)") };
            tokio::spawn(async move {
                loop {
                    lane.read(&read).await.unwrap();
                }
            })
        })
        .collect();
    let begun = Instant::now();
    while db.activity("true").await < 2 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the second shared connection was never opened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let guests: Vec<_> = (0..6)
        .map(|_| {
            let lane = lane.clone();
            let guest = Work { is_guest: true, ..work("select pg_sleep(5)") };
            tokio::spawn(async move { commit(&lane, &guest).await.map(|_| ()) })
        })
        .collect();
    db.await_activity("query like '%pg_sleep(5)%' and state = 'active'", 2).await;
    commit(&lane, &work("select 1")).await.unwrap();
    assert!(guests.iter().all(|guest| !guest.is_finished()), "it waited for guests");
    readers.iter().for_each(|reader| reader.abort());
    guests.iter().for_each(|guest| guest.abort());
}

#[tokio::test]
async fn guests_that_wait_make_room_when_others_come() {
    let db = Database::create().await;
    let config = LaneConfig { size: 4, guests: 1, ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    // Guests wait for a lock, so that they run exactly as long as the test wants.
    let waiting = "query like '%pg_advisory_xact_lock_shared%' and wait_event_type = 'Lock'";
    db.sql("select pg_advisory_lock(7)").await;
    let guests: Vec<_> = (0..30)
        .map(|_| {
            let lane = lane.clone();
            let guest = Work { is_guest: true, ..work("select pg_advisory_xact_lock_shared(7)::text") };
            tokio::spawn(async move { commit(&lane, &guest).await.map(|_| ()) })
        })
        .collect();
    db.await_activity(waiting, 3).await;
    commit(&lane, &work("select 1")).await.unwrap();
    // Those that run end, and the next ones wait.
    db.sql("select pg_advisory_unlock(7), pg_advisory_lock(7)").await;
    let begun = Instant::now();
    while guests.iter().filter(|guest| guest.is_finished()).count() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the guests never ended");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    db.await_activity(waiting, 1).await;
    // Long enough for others to begin.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(db.activity(waiting).await, 1);
    db.sql("select pg_advisory_unlock(7)").await;
    for guest in guests {
        guest.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_request_is_cancelled_and_rolled_back_when_its_client_disconnects() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let left = Work { before: vec![Snippet::raw("insert into t values (1)")], ..work("select pg_sleep(60)") };
    assert!(timeout(Duration::from_millis(200), commit(&lane, &left)).await.is_err());
    // Much sooner than the query would have ended by itself.
    db.await_activity("query like '%pg_sleep%'", 0).await;
    assert_eq!(texts(&commit(&lane, &work("select count(*) from t")).await.unwrap()), [["0"]]);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn a_judge_that_panics_causes_a_rollback() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let panicking = tokio::spawn({
        let lane = lane.clone();
        async move {
            let insert = work("insert into t values (1)");
            let _ = lane.run::<()>(&insert, |_| panic!("on purpose")).await;
        }
    });
    assert!(panicking.await.unwrap_err().is_panic());
    assert_eq!(texts(&commit(&lane, &work("select count(*) from t")).await.unwrap()), [["0"]]);
}

#[tokio::test]
async fn a_transaction_ended_by_the_query_itself_is_not_reused_half_open() {
    let db = Database::create().await;
    let lane = db.lane(1);
    // The query commits the transaction of `run` and begins a new one.
    let chained = Work { before: vec![Snippet::raw("commit and chain")], ..reading("select 1") };
    for _ in 0..2 {
        assert_eq!(texts(&commit(&lane, &chained).await.unwrap()), [["1"]]);
        // The transaction of `read` is implicit, which PostgreSQL ends only with its last statement.
        assert_eq!(refused(lane.read(&chained).await).code, "25P01");
    }
    let reopened = Work { before: vec![Snippet::raw("commit")], ..reading("begin") };
    for _ in 0..2 {
        lane.run(&reopened, |_| Err::<_, ()>(())).await.unwrap_err();
    }
    assert_eq!(texts(&lane.read(&reading("select 1")).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn closing_ends_idle_connections_now_and_others_after_their_request() {
    let db = Database::create().await;
    let lane = db.lane(2);
    let nap = work("select pg_sleep(0.05)");
    let (one, two) = tokio::join!(commit(&lane, &nap), commit(&lane, &nap));
    one.and(two).unwrap();
    let slow = tokio::spawn({
        let lane = lane.clone();
        async move { commit(&lane, &work("select 1 from pg_sleep(1)")).await.map(|rows| rows.rows.len()) }
    });
    db.await_activity("state = 'active'", 1).await;
    lane.close();
    db.await_activity("true", 1).await;
    assert!(matches!(commit(&lane, &work("select 1")).await, Err(Error::Unavailable(_))));
    assert_eq!(slow.await.unwrap().unwrap(), 1);
    db.await_activity("true", 0).await;
    assert_eq!(lane.status(), (0, 0, 0));
}

#[tokio::test]
async fn connections_have_a_maximum_lifetime() {
    let db = Database::create().await;
    let lane =
        Lane::new(&db.target, &LaneConfig { max_lifetime: Duration::from_secs(1), ..LaneConfig::default() }).unwrap();
    let process = work("select pg_backend_pid()");
    let first = commit(&lane, &process).await.unwrap();
    assert_eq!(texts(&commit(&lane, &process).await.unwrap()), texts(&first));
    tokio::time::sleep(Duration::from_millis(1050)).await;
    // This request finds that the connection is too old, and is the last to use it.
    assert_eq!(texts(&commit(&lane, &process).await.unwrap()), texts(&first));
    assert_eq!(lane.status(), (0, 0, 0));
    assert_ne!(texts(&commit(&lane, &process).await.unwrap()), texts(&first));
}

#[tokio::test]
async fn a_lane_of_several_runtimes_outlives_the_first_of_them() {
    let db = Database::create().await;
    let runtime = Some(tokio::runtime::Handle::current());
    let lane = Lane::new(&db.target, &LaneConfig { size: 1, runtime, ..LaneConfig::default() }).unwrap();
    let process = async |lane: &Lane| {
        let rows = commit(lane, &work("select pg_backend_pid()::text from pg_sleep(0.01)")).await.unwrap();
        rows.rows[0].text(0).unwrap().to_owned()
    };
    let mut seen = Vec::new();
    for _ in 0..3 {
        let lane = lane.clone();
        // Like a worker: a thread with its own runtime, which ends.
        let worker = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(process(&lane))
        });
        seen.push(tokio::task::spawn_blocking(|| worker.join().unwrap()).await.unwrap());
    }
    assert!(seen.iter().all(|pid| *pid == seen[0]), "{seen:?}");
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn a_working_server_is_waited_for_however_long_it_is_silent() {
    let db = Database::create().await;
    let config = LaneConfig { patience: Duration::from_millis(50), ..LaneConfig::default() };
    let lane = Lane::new(&db.target, &config).unwrap();
    let rows = commit(&lane, &work("select 'done' from pg_sleep(0.5)")).await.unwrap();
    assert_eq!(texts(&rows), [["done"]]);
    // The request's transaction is gone.
    db.await_activity("true", 1).await;
}

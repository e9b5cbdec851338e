//! Connections that break at various moments.

use pg::{Error, Lane};

use crate::database::{Database, commit, reading, texts, work};

#[tokio::test]
async fn connections_killed_while_idle_are_replaced() {
    let db = Database::create().await;
    let lane = db.lane(3);
    let nap = work("select pg_sleep(0.05)");
    let (a, b, c) = tokio::join!(commit(&lane, &nap), commit(&lane, &nap), commit(&lane, &nap));
    a.and(b).and(c).unwrap();
    assert_eq!(db.kill_backends().await, 3);
    assert_eq!(texts(&commit(&lane, &work("select 1")).await.unwrap()), [["1"]]);
    assert_eq!(lane.status(), (1, 1, 0));
}

#[tokio::test]
async fn a_read_killed_half_way_is_retried_and_a_write_is_not() {
    let db = Database::create().await;
    db.sql("create table t (id int)").await;
    let lane = db.lane(1);
    let in_flight = |lane: &Lane, work: pg::Work| {
        let lane = lane.clone();
        tokio::spawn(async move { commit(&lane, &work).await.map(|rows| rows.rows.len()) })
    };

    let read = in_flight(&lane, reading("select 1 from pg_sleep(1)"));
    db.await_activity("state = 'active'", 1).await;
    assert_eq!(db.kill_backends().await, 1);
    assert_eq!(read.await.unwrap().unwrap(), 1);

    let write = in_flight(&lane, work("insert into t select 1 from pg_sleep(2)"));
    db.await_activity("state = 'active'", 1).await;
    assert_eq!(db.kill_backends().await, 1);
    let error = write.await.unwrap().unwrap_err();
    // Not `Lost`: the commit had not been requested, so nothing can have been committed.
    assert!(matches!(&error, Error::Broken(reason) if reason.contains("57P01")), "{error:?}");
    assert_eq!(db.number("select count(*) from t").await, 0);
    assert_eq!(texts(&commit(&lane, &work("select 1")).await.unwrap()), [["1"]]);
}

#[tokio::test]
async fn a_write_killed_during_its_commit_has_an_unknown_outcome() {
    let db = Database::create().await;
    db.sql(
        "create table t (id int);
         create sequence commits;
         create function die() returns trigger language plpgsql as $$
         begin perform nextval('commits'); perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null;
         end $$;
         create constraint trigger dies after insert on t deferrable initially deferred for each row execute function die()",
    )
    .await;
    let lane = db.lane(1);
    let insert = work("insert into t values (1)");
    assert!(matches!(commit(&lane, &insert).await, Err(Error::Lost(_))));
    assert!(matches!(lane.read(&insert).await, Err(Error::Lost(_))));
    assert_eq!(db.number("select last_value from commits").await, 2, "each was executed once");
    let judged = lane.run(&insert, |_| Err::<_, &str>("no")).await;
    assert!(matches!(judged, Err(pg::LaneFailure::Judged("no"))));
    assert_eq!(texts(&commit(&lane, &work("select 1")).await.unwrap()), [["1"]]);
}

//! One connection serves all subscribers, and is replaced when it is lost.

use std::time::Duration;

use pg::Listener;
use pg::listen::{Event, Subscription};
use tokio::time::timeout;

use crate::database::Database;

fn heard(payload: &str) -> Event {
    Event::Notification { payload: payload.to_owned() }
}

async fn next(subscription: &mut Subscription) -> Event {
    timeout(Duration::from_secs(10), subscription.next()).await.unwrap()
}

#[tokio::test]
async fn notifications_arrive_and_a_gap_is_announced() {
    let db = Database::create().await;
    let listener = Listener::new(&db.target).unwrap();
    let (mut first, mut odd) = (listener.subscribe("pgrst"), listener.subscribe("odd \"name"));
    assert_eq!((next(&mut first).await, next(&mut odd).await), (Event::Connected, Event::Connected));
    db.sql("notify pgrst, 'reload schema'; notify \"odd \"\"name\"; notify other").await;
    assert_eq!((next(&mut first).await, next(&mut odd).await), (heard("reload schema"), heard("")));

    for _ in 0..2 {
        assert_eq!(db.kill_backends().await, 1, "one connection is enough for all");
        for subscription in [&mut first, &mut odd] {
            assert!(matches!(next(subscription).await, Event::Ended { .. }));
            assert_eq!(next(subscription).await, Event::Reconnected);
        }
        db.sql("notify pgrst").await;
        assert_eq!(next(&mut first).await, heard(""));
    }
}

#[tokio::test]
async fn all_subscribers_share_one_connection() {
    let db = Database::create().await;
    let listener = Listener::new(&db.target).unwrap();
    let mut first = listener.subscribe("one");
    assert_eq!(next(&mut first).await, Event::Connected);
    // A new channel, and one that is listened to already.
    let (mut second, mut same) = (listener.subscribe("two"), listener.subscribe("one"));
    assert_eq!((next(&mut second).await, next(&mut same).await), (Event::Connected, Event::Connected));
    db.sql("notify one, 'a'; notify two, 'b'").await;
    let all = (next(&mut first).await, next(&mut same).await, next(&mut second).await);
    assert_eq!(all, (heard("a"), heard("a"), heard("b")));
    drop((first, same));
    db.await_activity("query = 'UNLISTEN \"one\"'", 1).await;
    db.sql("notify one, 'c'; notify two, 'd'").await;
    assert_eq!(next(&mut second).await, heard("d"));
    drop(second);
    db.await_activity("true", 0).await;
    // The next subscription opens a new connection.
    let mut again = listener.subscribe("one");
    assert_eq!(next(&mut again).await, Event::Connected);
    drop((again, listener));
    db.await_activity("true", 0).await;
}

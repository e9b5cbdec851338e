//! LISTEN survives its connection.

use std::time::Duration;

use pg::Ident;
use pg::listen::{Event, listen};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::database::Database;

fn heard(channel: &str, payload: &str) -> Option<Event> {
    Some(Event::Notification { channel: channel.to_owned(), payload: payload.to_owned() })
}

#[tokio::test]
async fn notifications_arrive_and_a_gap_is_announced() {
    let db = Database::create().await;
    let (sender, mut events) = mpsc::unbounded_channel();
    let target = db.target.clone();
    let listening = tokio::spawn(async move {
        let channels = [Ident::new("pgrst"), Ident::new("odd \"name")];
        listen(&target, &channels, |event| sender.send(event).unwrap()).await
    });
    let mut next = async || timeout(Duration::from_secs(5), events.recv()).await.unwrap();

    assert_eq!(next().await, Some(Event::Connected));
    db.sql("notify pgrst, 'reload schema'; notify \"odd \"\"name\"; notify other").await;
    assert_eq!(next().await, heard("pgrst", "reload schema"));
    assert_eq!(next().await, heard("odd \"name", ""));

    for _ in 0..2 {
        assert_eq!(db.kill_backends().await, 1);
        assert!(matches!(next().await, Some(Event::Ended { .. })));
        assert_eq!(next().await, Some(Event::Reconnected));
        db.sql("notify pgrst").await;
        assert_eq!(next().await, heard("pgrst", ""));
    }

    listening.abort();
    assert!(listening.await.unwrap_err().is_cancelled());
    db.await_activity("true", 0).await;
}

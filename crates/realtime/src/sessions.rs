//! Sessions that end: their channels close at once.

use std::sync::Arc;
use std::time::Duration;

use pg::error::Error;
use pg::listen::Event;
use pg::{Listener, Pool};
use serde::Deserialize;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::hub::{Control, Hub};
use crate::store;

/// What auth notifies when a session ends.
const CHANNEL: &str = "auth_session_ended";

const FIRST_DELAY: Duration = Duration::from_millis(100);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
struct Ended {
    session_id: Uuid,
}

/// Tells sockets of ended sessions, for as long as it is polled. After a gap in listening it asks the database which sessions have
/// ended.
pub(crate) async fn watch(listener: Listener, pool: Pool, hub: Arc<Hub>) {
    let mut events = listener.subscribe(CHANNEL);
    let mut checks = JoinSet::new();
    loop {
        tokio::select! {
            event = events.next() => match event {
                Event::Notification { payload } => {
                    if let Ok(ended) = serde_json::from_str::<Ended>(&payload) {
                        hub.tell(&Control::SessionEnded(ended.session_id));
                    }
                }
                Event::Connected | Event::Reconnected => {
                    checks.spawn(check(pool.clone(), Arc::clone(&hub)));
                }
                Event::Ended { .. } => {}
            },
            Some(_) = checks.join_next() => {}
        }
    }
}

/// Finds out which sessions have ended unheard. Where auth is not ours, nobody can say.
async fn check(pool: Pool, hub: Arc<Hub>) {
    let sessions: Vec<Uuid> = hub.sessions().await.into_iter().collect();
    if sessions.is_empty() {
        return;
    }
    let mut delay = FIRST_DELAY;
    loop {
        match store::sessions::ended(&pool, &sessions).await {
            Ok(ended) => return ended.into_iter().for_each(|session| hub.tell(&Control::SessionEnded(session))),
            Err(Error::Database(error)) if store::sessions::is_unknown(&error) => {
                return tracing::warn!(event = "realtime_sessions", detail = %error);
            }
            Err(error) => tracing::warn!(event = "realtime_sessions", detail = %error),
        }
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}

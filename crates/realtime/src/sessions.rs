//! Sessions that end: their channels close at once.

use std::sync::Arc;

use pg::Listener;
use pg::listen::Event;
use serde::Deserialize;
use uuid::Uuid;

use crate::hub::{Control, Hub};

/// What auth notifies when a session ends.
const CHANNEL: &str = "auth_session_ended";

#[derive(Deserialize)]
struct Ended {
    session_id: Uuid,
}

/// Tells sockets of ended sessions, for as long as it is polled.
pub(crate) async fn watch(listener: Listener, hub: Arc<Hub>) {
    let mut events = listener.subscribe(CHANNEL);
    loop {
        if let Event::Notification { payload } = events.next().await
            && let Ok(ended) = serde_json::from_str::<Ended>(&payload)
        {
            hub.tell(&Control::SessionEnded(ended.session_id));
        }
    }
}

//! Logs and counts crashes and restarts of our own PostgreSQL.

use gateway::events::{Event, Events};
use pg::cluster::{Cluster, State};

/// Watches until the cluster is dropped.
pub(crate) fn spawn(cluster: &Cluster, events: Events) {
    let mut state = cluster.state();
    state.mark_unchanged();
    tokio::spawn(async move {
        // The start itself has already been reported.
        while state.changed().await.is_ok() {
            let (name, detail) = match *state.borrow_and_update() {
                // The server stops PostgreSQL itself, so these need no log entry.
                State::Starting | State::Stopped => continue,
                State::Up => ("up", "PostgreSQL takes connections again"),
                State::Down => ("down", "PostgreSQL died and is being started again"),
            };
            events.emit(Event::Postgres { state: name, detail });
        }
    });
}

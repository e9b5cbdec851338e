//! Tells the log and the metrics when our own PostgreSQL goes down and comes back.

use gateway::events::{Event, Events};
use pg::cluster::{Cluster, State};

/// Watches for as long as the cluster lives.
pub(crate) fn spawn(cluster: &Cluster, events: Events) {
    let mut state = cluster.state();
    state.mark_unchanged();
    tokio::spawn(async move {
        // The start has been reported already: only changes are news.
        while state.changed().await.is_ok() {
            let (name, detail) = match *state.borrow_and_update() {
                // The server stops PostgreSQL itself, so that needs no line in the log.
                State::Starting | State::Stopped => continue,
                State::Up => ("up", "PostgreSQL takes connections again"),
                State::Down => ("down", "PostgreSQL died and is being started again"),
            };
            events.emit(Event::Postgres { state: name, detail });
        }
    });
}

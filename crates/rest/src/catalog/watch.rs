//! Keeps the catalog current: hears announcements and has it loaded again.

use std::convert::Infallible;

use pg::listen::Event;

use super::loader::Loader;
use crate::config::Config;
use crate::observation::Observation;
use crate::{Error, Rest, reload};

/// Why nothing is watched any more.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// PostgreSQL does not know us by this password: trying again does not help.
    #[error("Failed to establish a connection. {0}")]
    Authentication(String),
    /// The database is gone, and `db-pool-automatic-recovery` is off.
    #[error("Automatic recovery disabled, exiting.")]
    NoRecovery,
    /// PostgreSQL is too old; holds its version.
    #[error("Cannot run in this PostgreSQL version ({0}), PostgREST needs at least {oldest}", oldest = reload::OLDEST.1)]
    Version(String),
    /// The target's TLS settings cannot be used.
    #[error(transparent)]
    Target(#[from] pg::Error),
}

/// Runs for as long as it is polled.
///
/// # Errors
/// [`WatchError`] when there is nothing more to wait for.
pub(crate) async fn watch(rest: &Rest) -> Result<Infallible, WatchError> {
    tokio::select! {
        ended = Loader::new(rest).run() => ended,
        ended = reload::keep_config(rest) => Ok(ended),
        ended = keep_listening(rest) => ended,
    }
}

/// Listens while that is wanted; the configuration may change its mind.
async fn keep_listening(rest: &Rest) -> Result<Infallible, WatchError> {
    loop {
        let config = rest.config();
        if !config.db_channel_enabled {
            rest.listener_changed.notified().await;
            continue;
        }
        let mut events = rest.listener.subscribe(&config.db_channel);
        loop {
            tokio::select! {
                event = events.next() => {
                    let given_up = matches!(event, Event::Ended { .. }) && !config.db_pool_automatic_recovery;
                    heard(rest, &config, event);
                    if given_up {
                        rest.observer.observe(Observation::NoRecovery);
                        return Err(WatchError::NoRecovery);
                    }
                }
                () = rest.listener_changed.notified() => {
                    rest.status.set_listening(false);
                    break;
                }
            }
        }
    }
}

fn heard(rest: &Rest, config: &Config, event: Event) {
    let channel = config.db_channel.as_str();
    match event {
        // What was announced while nobody listened is unknown, so a new connection counts as an announcement.
        Event::Connected | Event::Reconnected => {
            rest.status.set_listening(true);
            rest.reload_catalog();
            let (address, server) = (rest.target.address(), rest.server());
            rest.observer.observe(Observation::Listening { address: &address, server: &server, channel });
        }
        Event::Ended { reason, retry_in } => {
            rest.status.set_listening(false);
            rest.observer.observe(Observation::ListenFailed { channel, reason: &reason, retry_in });
        }
        Event::Notification { payload } => match payload.as_str() {
            "" | "reload schema" => {
                rest.observer.observe(Observation::HeardSchema(channel));
                rest.reload_catalog();
            }
            "reload config" => {
                rest.observer.observe(Observation::HeardConfig(channel));
                rest.reload_config();
            }
            _ => {}
        },
    }
}

/// A failure as a client would be told.
pub(crate) fn told(failure: &pg::Error) -> Error {
    match failure {
        pg::Error::Database(error) if error.severity != "FATAL" => {
            Error::Database { error: error.clone(), authenticated: false }
        }
        pg::Error::Database(error) => Error::Connection(format!("{}:  {}", error.severity, error.message)),
        pg::Error::Broken(text) | pg::Error::Lost(text) => Error::ConnectionLost(text.clone()),
        pg::Error::Exhausted => Error::AcquireTimeout,
        other => Error::Connection(other.to_string()),
    }
}

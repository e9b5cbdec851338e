//! Keeps the catalog current: listens for notifications and requests reloads.

use std::convert::Infallible;

use pg::listen::Event;

use super::load::Loader;
use super::reload;
use super::rest::Rest;
use super::status::Status;
use super::watch_error::WatchError;
use crate::config::Config;
use crate::observation::Observation;

impl Rest {
    /// Loads the catalog and keeps it and the configuration current for as long as the future is polled.
    ///
    /// # Errors
    /// [`WatchError`] if watching cannot go on.
    pub async fn watch(&self) -> Result<Infallible, WatchError> {
        let ended = watch(self).await;
        self.status.set(Status::Pending);
        self.status.set_listening(false);
        ended
    }
}

async fn watch(rest: &Rest) -> Result<Infallible, WatchError> {
    tokio::select! {
        ended = Loader::new(rest).run() => ended,
        ended = reload::keep_config(rest) => Ok(ended),
        ended = keep_listening(rest) => ended,
    }
}

/// Listens while `db-channel-enabled` is set, which a reload of the configuration can change.
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
        // Notifications are lost while the listener is disconnected, so each new connection counts as one.
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

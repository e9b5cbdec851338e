//! LISTEN: one connection receives the notifications for all subscribers.

mod connection;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, broadcast};
use tokio::task::AbortHandle;

use crate::error::Error;
use crate::target::Target;

/// How many events a subscriber may lag behind. One that lags further misses events and receives [`Event::Reconnected`].
const BACKLOG: usize = 1024;

/// An event of a [`Subscription`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Listening for the first time. Earlier notifications are unknown.
    Connected,
    /// Listening again after a gap. Notifications may have been missed, so state that depends on them has to be reloaded.
    Reconnected,
    /// The connection ended or could not be opened. The next attempt follows after `retry_in`.
    Ended {
        /// The cause.
        reason: String,
        /// Time until the next attempt.
        retry_in: Duration,
    },
    /// `NOTIFY channel, payload`.
    Notification {
        /// The payload; empty for a `NOTIFY` without one.
        payload: String,
    },
}

/// The listening connection, shared by all subscribers. It is open while there are subscriptions. A lost connection is opened
/// again after delays that double from 50 ms to 5 s. Clones share it.
#[derive(Clone, Debug)]
pub struct Listener {
    shared: Arc<Shared>,
    /// Ends the task when the last listener and the last subscription are dropped.
    _task: Arc<Task>,
}

/// A subscription to one channel.
#[derive(Debug)]
pub struct Subscription {
    events: Option<broadcast::Receiver<Event>>,
    /// The channel was already listened to, so that no [`Event::Connected`] will be sent.
    joined_late: bool,
    listener: Listener,
}

#[derive(Debug)]
struct Shared {
    channels: Mutex<BTreeMap<String, Channel>>,
    /// Notified when a subscription is added or dropped.
    changed: Notify,
}

#[derive(Debug)]
struct Channel {
    events: broadcast::Sender<Event>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Subscribed to, but not yet listened to.
    New,
    /// Notifications arrive.
    Listening,
    /// The connection ended while listening.
    Lost,
}

#[derive(Debug)]
struct Task(AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Shared {
    fn channels(&self) -> MutexGuard<'_, BTreeMap<String, Channel>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener {
    /// A listener on `target`, whose task runs on the current runtime. It connects at the first subscription.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the TLS settings of the target are invalid.
    pub fn new(target: &Target) -> Result<Self, Error> {
        // Certificates are read again at each attempt. This reports unreadable ones early.
        target.tls_connector()?;
        let shared = Arc::new(Shared { channels: Mutex::default(), changed: Notify::new() });
        let task = tokio::spawn(connection::keep(target.clone(), Arc::clone(&shared)));
        Ok(Listener { shared, _task: Arc::new(Task(task.abort_handle())) })
    }

    /// Subscribes to `channel`. The first event is [`Event::Connected`], unless the connection fails.
    pub fn subscribe(&self, channel: &str) -> Subscription {
        let mut channels = self.shared.channels();
        let channel = channels
            .entry(channel.to_owned())
            .or_insert_with(|| Channel { events: broadcast::Sender::new(BACKLOG), state: State::New });
        let events = Some(channel.events.subscribe());
        let joined_late = channel.state == State::Listening;
        drop(channels);
        self.shared.changed.notify_one();
        Subscription { events, joined_late, listener: self.clone() }
    }
}

impl Subscription {
    /// The next event. Cancel safe.
    pub async fn next(&mut self) -> Event {
        if std::mem::take(&mut self.joined_late) {
            return Event::Connected;
        }
        match &mut self.events {
            Some(events) => match events.recv().await {
                Ok(event) => event,
                Err(broadcast::error::RecvError::Lagged(_)) => Event::Reconnected,
                // Cannot happen: this subscription's listener owns the sender.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // Before the notification, so that the task no longer counts this subscription.
        self.events = None;
        self.listener.shared.changed.notify_one();
    }
}

//! LISTEN: one connection of the process hears what is notified and passes it on to subscribers, by channel.

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

/// What a [`Subscription`] reports of its channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Listening for the first time. What was notified before is unknown.
    Connected,
    /// Listening again after a gap: what was notified meanwhile is unknown, so that whatever follows from notifications has to
    /// be made anew.
    Reconnected,
    /// The connection ended or was not made; it is tried again after `retry_in`.
    Ended {
        /// Why.
        reason: String,
        /// How long until then.
        retry_in: Duration,
    },
    /// `NOTIFY channel, payload`.
    Notification {
        /// The payload; empty for a `NOTIFY` without one.
        payload: String,
    },
}

/// The connection that listens, for all who subscribe. It exists while there are subscriptions. A lost one is made again, after
/// delays from 50 ms doubling to 5 s. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Listener {
    shared: Arc<Shared>,
    /// Ends the task with the last listener and subscription.
    _task: Arc<Task>,
}

/// One channel, as one subscriber hears it.
#[derive(Debug)]
pub struct Subscription {
    events: Option<broadcast::Receiver<Event>>,
    /// The channel is being listened to already, and nobody will announce it again.
    joined_late: bool,
    listener: Listener,
}

#[derive(Debug)]
struct Shared {
    channels: Mutex<BTreeMap<String, Channel>>,
    /// A subscription came or went.
    changed: Notify,
}

#[derive(Debug)]
struct Channel {
    events: broadcast::Sender<Event>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Subscribed to, and never listened to so far.
    New,
    /// Notifications arrive.
    Listening,
    /// They did until the connection ended.
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
    /// A listener on `target`, which lives on the runtime this is called from. It connects at the first subscription.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the TLS settings of the target cannot be used.
    pub fn new(target: &Target) -> Result<Self, Error> {
        // Certificates are read again at each attempt; that they can be read at all is known from here.
        target.tls_connector()?;
        let shared = Arc::new(Shared { channels: Mutex::default(), changed: Notify::new() });
        let task = tokio::spawn(connection::keep(target.clone(), Arc::clone(&shared)));
        Ok(Listener { shared, _task: Arc::new(Task(task.abort_handle())) })
    }

    /// Hears `channel` from now on. The first event is [`Event::Connected`], unless the connection fails.
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
    /// The next event. Dropping the future loses none.
    pub async fn next(&mut self) -> Event {
        if std::mem::take(&mut self.joined_late) {
            return Event::Connected;
        }
        match &mut self.events {
            Some(events) => match events.recv().await {
                Ok(event) => event,
                Err(broadcast::error::RecvError::Lagged(_)) => Event::Reconnected,
                // The sender lives in the listener that this subscription holds.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // First, so that the channel is seen without us.
        self.events = None;
        self.listener.shared.changed.notify_one();
    }
}

//! Limits, with upstream's names.

use std::time::Duration;

/// Limits of channels and sockets. Rates are averages over a minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    /// `TENANT_MAX_CONCURRENT_USERS`: sockets that are open at once.
    pub(crate) max_concurrent_users: usize,
    /// `TENANT_MAX_EVENTS_PER_SECOND`: messages that clients send and receive.
    pub(crate) max_events_per_second: u64,
    /// `TENANT_MAX_JOINS_PER_SECOND`: joins of channels, and opened sockets.
    pub(crate) max_joins_per_second: u64,
    /// `TENANT_MAX_CHANNELS_PER_CLIENT`: channels of one socket.
    pub(crate) max_channels_per_client: usize,
    /// Presence messages per second, of all clients.
    pub(crate) max_presence_events_per_second: u64,
    /// Maximum size of the payload of a broadcast or presence message, in bytes.
    pub(crate) max_payload: usize,
    /// `CLIENT_PRESENCE_MAX_CALLS`: calls of track and untrack on one channel in [`Config::presence_window`].
    pub(crate) presence_calls: usize,
    /// `CLIENT_PRESENCE_WINDOW_MS`.
    pub(crate) presence_window: Duration,
    /// Whether public channels are refused.
    pub(crate) private_only: bool,
    /// What may wait for one client, in bytes. A client that reads too slowly is disconnected.
    pub(crate) max_waiting: usize,
    /// A socket from which nothing arrives for this long is closed, as in Phoenix.
    pub(crate) idle: Duration,
    /// Maximum size of a row in `postgres_changes`, in bytes; larger rows arrive without their large values.
    pub(crate) max_record: usize,
}

/// Maximum size of a WebSocket message, in bytes; the same as upstream's.
pub(crate) const MAX_FRAME: usize = 5_000_000;

/// Maximum length of a topic, in bytes.
pub(crate) const MAX_TOPIC: usize = 1024;

/// Maximum size of the payload of a join, in bytes: a socket may join a hundred channels, which are all kept.
pub(crate) const MAX_JOIN: usize = 64 * 1024;

/// Maximum length of a reference as JSON, in bytes: that of a join is kept with its channel. It has room for a topic.
pub(crate) const MAX_REF: usize = 2048;

/// Maximum size of a presence message, in bytes: the server keeps one for each channel.
pub(crate) const MAX_PRESENCE: usize = 64 * 1024;

/// Subscriptions to changes of one channel, at most.
pub(crate) const MAX_BINDINGS: usize = 100;

impl Default for Config {
    fn default() -> Self {
        Config {
            max_concurrent_users: 200,
            max_events_per_second: 100,
            max_joins_per_second: 100,
            max_channels_per_client: 100,
            max_presence_events_per_second: 1000,
            max_payload: 3_000_000,
            presence_calls: 5,
            presence_window: Duration::from_secs(30),
            private_only: false,
            max_waiting: 8 * 1024 * 1024,
            idle: Duration::from_secs(60),
            max_record: 1024 * 1024,
        }
    }
}

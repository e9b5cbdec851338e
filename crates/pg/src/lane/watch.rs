//! Events of an exclusive lane's connections, for logs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Something that happened. Connections are known by a number of their own, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolEvent {
    /// A request asks for a connection.
    Requested,
    /// It has one.
    Fulfilled,
    /// A connection is being made.
    Connecting(u64),
    /// It can be used.
    Connected(u64),
    /// A request uses it.
    Used(u64),
    /// The request is through with it.
    Released(u64),
    /// It is closed.
    Terminated(u64, Termination),
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// It was used for as long as one may be.
    MaxLifetime,
    /// Nobody used it for long.
    MaxIdle,
    /// All connections are closed, to be made anew or for good.
    Released,
    /// It broke, or was given up in the middle of a transaction.
    Broken,
    /// It was not made.
    Failed,
}

/// Takes in [`PoolEvent`]s; it must not block. Cloning shares it. Without a listener nothing is done.
#[derive(Clone, Default)]
pub struct PoolWatch(Option<Arc<Listener>>);

struct Listener {
    connections: AtomicU64,
    tell: Box<dyn Fn(PoolEvent) + Send + Sync>,
}

impl PoolWatch {
    /// Calls `tell` for every event.
    pub fn new(tell: impl Fn(PoolEvent) + Send + Sync + 'static) -> Self {
        PoolWatch(Some(Arc::new(Listener { connections: AtomicU64::new(0), tell: Box::new(tell) })))
    }

    pub(super) fn tell(&self, event: PoolEvent) {
        if let Some(listener) = &self.0 {
            (listener.tell)(event);
        }
    }

    /// The number of the next connection.
    pub(super) fn number(&self) -> u64 {
        self.0.as_ref().map_or(0, |listener| listener.connections.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl fmt::Debug for PoolWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "PoolWatch" } else { "None" })
    }
}

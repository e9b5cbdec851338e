//! Events of an exclusive lane's connections, for logs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An event of a connection. Connections are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolEvent {
    /// A request asks for a connection.
    Requested,
    /// It got one.
    Fulfilled,
    /// A connection is being opened.
    Connecting(u64),
    /// The connection is open.
    Connected(u64),
    /// A request uses it.
    Used(u64),
    /// The request no longer uses it.
    Released(u64),
    /// It is closed.
    Terminated(u64, Termination),
}

/// Why a connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// It reached its maximum lifetime.
    MaxLifetime,
    /// It was idle for too long.
    MaxIdle,
    /// The pool was flushed or closed.
    Released,
    /// It broke, or was abandoned in the middle of a transaction.
    Broken,
    /// It could not be opened.
    Failed,
}

/// Receives [`PoolEvent`]s. The callback must not block. Clones share it. The default ignores all events.
#[derive(Clone, Default)]
pub struct PoolWatch(Option<Arc<Listener>>);

struct Listener {
    connections: AtomicU64,
    tell: Box<dyn Fn(PoolEvent) + Send + Sync>,
}

impl PoolWatch {
    /// Calls `tell` for each event.
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

//! Hook calls: database functions and HTTP servers.
//!
//! Source: supabase/auth, `internal/hooks/`.

mod function;
mod server;
mod signature;

use std::sync::Arc;
use std::time::Duration;

use gateway::HttpClient;
use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) use function::call as call_function;
pub(crate) use server::call as call_server;

/// Limits how many callers hold a connection while they wait for an HTTP hook. Clones share the limit.
///
/// At most half of the pool, so that a hook that takes its full five seconds does not block the database for others.
#[derive(Clone)]
pub(crate) struct Holding(Arc<Semaphore>);

impl Holding {
    /// The limit for a pool of `connections`.
    pub(crate) fn new(connections: usize) -> Self {
        Holding(Arc::new(Semaphore::new((connections / 2).max(1))))
    }

    /// A permit for one caller; `None` if all are taken.
    pub(crate) fn try_acquire(&self) -> Option<SemaphorePermit<'_>> {
        self.0.try_acquire().ok()
    }
}

/// The HTTP client for hooks.
///
/// # Errors
/// If TLS cannot be set up.
pub(crate) fn client() -> std::io::Result<HttpClient> {
    // Longer than all attempts together: the actual limit is enforced where the attempts are made.
    HttpClient::new(Duration::from_secs(server::SECONDS * 2))
}

//! Calls of hooks: functions of the project's database, or HTTP servers.
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

/// How many callers may hold a connection while they wait for an HTTP hook. Cloning shares it.
///
/// Half of the pool at most: a hook that takes its five seconds must not keep all others from the database.
#[derive(Clone)]
pub(crate) struct Holding(Arc<Semaphore>);

impl Holding {
    /// For a pool of `connections`.
    pub(crate) fn new(connections: usize) -> Self {
        Holding(Arc::new(Semaphore::new((connections / 2).max(1))))
    }

    /// A place for one caller, until it is dropped; `None` when all are taken.
    pub(crate) fn try_acquire(&self) -> Option<SemaphorePermit<'_>> {
        self.0.try_acquire().ok()
    }
}

/// The client of hooks that are servers.
///
/// # Errors
/// When TLS cannot be set up.
pub(crate) fn client() -> std::io::Result<HttpClient> {
    // Longer than all attempts together: the time is kept where they are made.
    HttpClient::new(Duration::from_secs(server::SECONDS * 2))
}

//! Detects servers that no longer respond.
//!
//! How long a statement may take is up to the database (`statement_timeout`), so a request waits for a working server. A server
//! that has stopped or become unreachable looks the same on its connection. So it is probed on a new one.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::connect::{Address, Endpoint};
use crate::error::Error;

/// The server at the other end of a connection.
pub(super) struct Server {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) address: Arc<Address>,
    /// How long a result may take before the server is probed, repeatedly, and how long a probe may take.
    pub(super) patience: Duration,
}

impl Server {
    /// Runs `work` as long as the server responds to probes.
    ///
    /// # Errors
    /// The errors of `work`; and `silent` of [`Error::Lost`] if the server responds neither here nor to a probe.
    pub(super) async fn unless_silent<T, E>(
        &self,
        work: impl Future<Output = Result<T, E>>,
        silent: impl FnOnce(Error) -> E,
    ) -> Result<T, E> {
        let mut work = pin!(work);
        loop {
            if let Ok(done) = timeout(self.patience, work.as_mut()).await {
                return done;
            }
            tokio::select! {
                biased;
                done = work.as_mut() => return done,
                answered = timeout(self.patience, self.endpoint.ask(&self.address)) => if answered.is_err() {
                    return Err(silent(Error::Lost(format!("the server was silent for {:?}", 2 * self.patience))));
                }
            }
        }
    }
}

//! Servers that say nothing.
//!
//! How long a statement may take is for the database to say (`statement_timeout`), so a server that works is waited for. One
//! that has stopped, or that the network has swallowed, looks the same on its connection, which is why it is asked on another
//! one whether it is there.

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
    /// After how long without a result it is asked, again and again, and how long it then has to answer.
    pub(super) patience: Duration,
}

impl Server {
    /// Does `work`, for as long as the server is there.
    ///
    /// # Errors
    /// Those of `work`, and what `silent` makes of [`Error::Lost`]: the server answered neither here nor on a new connection.
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
